# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
# numbers and texts become items
said compute itemsets @iris --support 0.3
said compute itemsets @iris --support 0.3 --with bins:3
said compute associations @iris --support 0.3 --confidence 0.9 --max-size 2 --with bins:3 --by petal_width
said compute itemsets @texts --support 2
said compute itemsets @texts --support 2 --with bag
# transactions without a name for it
printf '1 2 3\n2 3\n\n10 2\n' > shop.dat
said compute itemsets shop.dat --support 2
said compute itemsets shop.dat --support 2 --input-format csv --separator ' '
said draw item-lattice shop.dat --support 2 --show frequent --out shop.svg
# a table of 0 and 1 and one with a header stay tables, and so does every .dat elsewhere
printf '0 1\n1 0\n1 0\n' > ones.dat
said compute itemsets ones.dat --support 2
printf 'a b\n1 0\n1 1\n1 0\n' > named.dat
said compute itemsets named.dat --support 2
printf '1 2\n2 3\n3 5\n' > numbers.dat
said convert numbers.dat - --to csv

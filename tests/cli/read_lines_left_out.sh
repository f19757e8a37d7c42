# SPDX-License-Identifier: MIT
# Lines before the header, comments, marks between thousands and lines with the wrong number of cells; a model reads new
# files as its training file was read, and what is said on the command line wins.
printf 'Prices\n# in euros\nitem;price;sold\nbook;1.234,50;no\nlamp\npen;2,20;yes\ncup;3,10;yes\nbag;2.000;no\n' > prices.csv
said() { cairn "$@" 2>&1; echo "exit $?"; }
READ="--skip 1 --comment # --thousands . --decimal ,"
said convert prices.csv - --to csv $READ
said convert prices.csv - --to csv $READ --bad-lines skip
said convert prices.csv - --to csv $READ --bad-lines pad
cairn convert prices.csv - --to csv $READ --bad-lines skip --quiet > whole.csv
gzip -c prices.csv | cairn convert - - --to csv $READ --bad-lines skip --quiet | cmp - whole.csv && echo same
said fit --full bayes prices.csv --target sold --features price $READ --bad-lines skip --save m.cairn --quiet --out fitted.txt
printf 'More\nitem;price\n# none\nbook;1.500,50\npen\ncup;1,99\n' > new.csv
said predict m.cairn new.csv
printf 'item;price\nbook;1.500,50\npen\n' > other.csv
said predict m.cairn other.csv --skip 0 --bad-lines pad
said describe --full m.cairn | grep -E 'decimal|thousands|before|comments|other cells'
said convert prices.csv - --to csv --skip 9
said convert prices.csv - --to csv --thousands x
said convert prices.csv - --to csv --bad-lines keep

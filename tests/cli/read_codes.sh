# SPDX-License-Identifier: MIT
# Numbers that would lose digits stay as they are written; a slip in a short file is told; a first
# line of years is a header.
printf 'zip,x\n02134,1\n94110,2\n00501,3\n' >zip.csv
cairn convert zip.csv - --to csv --quiet
cairn convert zip.csv - --to csv --quiet --kinds zip=number
printf 'key,x\n9007199254740993,1\n9007199254740992,2\n12,3\n' >big.csv
cairn convert big.csv - --to csv --quiet
cairn describe zip.csv --show columns
cairn describe big.csv --show columns
{ echo x; i=0; while [ $i -lt 19 ]; do echo $((i * 7)); i=$((i + 1)); done; echo unknown; } >odd.csv
cairn describe odd.csv --show columns
printf 'country,2019,2020\nfr,1.5,2\nde,2.5,3\nit,0.5,1\n' >years.csv
cairn describe years.csv --show columns
cairn describe years.csv --show columns --header no --quiet | tail -n 4
printf 'a;b\n1.000;2,5\n2.500;3,5\n' >comma.csv
cairn convert comma.csv - --to csv --decimal , --quiet

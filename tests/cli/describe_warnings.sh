# SPDX-License-Identifier: MIT
printf 'key,same,none,y\n' >t.csv
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "$i,7,,$((i % 2))"; done >>t.csv
cairn describe --full t.csv --rows 0

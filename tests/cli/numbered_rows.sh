# SPDX-License-Identifier: MIT
# Numbers that run on from any number and are called as numbers of rows are no feature; years are one.
printf 'Kundennr,year,x,y\n' > runs.csv
for i in 1 2 3 4 5 6 7 8; do printf '%d,%d,%d,%s\n' $((100006 + i)) $((2000 + i)) $((i * i % 7)) "$([ $i -gt 4 ] && echo a || echo b)"; done >> runs.csv
cairn fit tree runs.csv --target y > report
grep -c Kundennr report
cairn fit tree runs.csv --target y --id none > report
grep -o 'learned from .*' report

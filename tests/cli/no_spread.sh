# SPDX-License-Identifier: MIT
# Numbers without a spread have no density, and what is nothing is 0.
printf 'x,g\n5,a\n5,a\n5,b\n5,b\n' >same.csv
printf 'x\n3\n' >one.csv
printf 'x,g\n1,a\n2,a\n4,a\n5,b\n' >groups.csv
said() { cairn "$@" --quiet; echo "exit $?"; }
said compute density same.csv --column x
said compute density one.csv --column x
said draw density same.csv --column x --out d.svg
said draw histogram one.csv --column x --density --out h.svg
said draw violin same.csv --column x --by g --out v.svg
cairn draw density groups.csv --column x --colour g --out g.svg
said compute density one.csv --column x --bandwidth 1 --at 3 | tail -3
cairn fit clustering-tree @hammond-numeric --quiet | grep 'mean disagreement'
cairn fit clustering-tree @hammond-numeric --steps --quiet | grep -c '[0-9]e-[0-9]'

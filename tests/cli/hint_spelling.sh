# SPDX-License-Identifier: MIT
# Cells that another reading option would take as numbers or times are told with that option.
{ echo 'x;y'; i=0; while [ $i -lt 80 ]; do echo "$i,5;$((i % 2))"; i=$((i+1)); done; } >comma.csv
cairn fit logistic comma.csv --target y --task classify || echo "exit $?"
cairn fit logistic comma.csv --target y --task classify --decimal , --save m.cairn --quiet >/dev/null && echo fine
printf 'x;y\n1.5;0\n7.5;1\n' >point.csv
cairn predict m.cairn point.csv || echo "exit $?"
cairn predict m.cairn point.csv --decimal . --quiet
sed 's/,/./' comma.csv >p.csv
cairn fit logistic p.csv --target y --task classify --save p.cairn --quiet >/dev/null
cairn predict p.cairn comma.csv || echo "exit $?"
printf 'when,euro,dollar,swiss,thousands,both\n24.12.2025,"1.200,50 €",$12,1 200.5,"1,200.50",05/06/2025\n25.12.2025,"12,5 €",$13.5,2 400,"7,300",07/08/2025\n' >d.csv
cairn describe d.csv --show columns
cairn describe d.csv --show columns --time-format %d.%m.%Y >/dev/null
# codes and lists are left alone
printf 'code,list,word\nA12,"1,2,3",12x\nB7,"4,5",3y\nC1,"1,5,7",z\n' >e.csv
cairn describe e.csv --show columns >/dev/null

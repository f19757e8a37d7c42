# SPDX-License-Identifier: MIT
cat > w.csv <<'DATA'
name,size,colour,class
a,1,red,yes
b,2,blue,no
c,3,red,?
d,4,blue,no
e,5,red,yes
f,6,blue,
DATA
cairn fit --full tree w.csv --target class --ignore name --save m.cairn | sed -n '/experience/p;/wait/p'
cairn predict m.cairn w.csv --unanswered
cairn predict m.cairn w.csv --unanswered --id name
cairn predict m.cairn w.csv --unanswered --format text
cairn evaluate m.cairn w.csv --format json | grep -E '^    "evaluate.(rows|waiting)"'
cairn evaluate tree w.csv --target class --ignore name --by loo --format json | grep -E '^    "evaluate.(rows|waiting)"'
sed 's/,class$/,other/' w.csv > other.csv
cairn predict m.cairn other.csv --unanswered || echo "exit $?"

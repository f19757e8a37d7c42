# SPDX-License-Identifier: MIT
# numbers as classes: few whole ones are, many are warned of; and a single class
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
{ echo a,b,y; for i in 1 2 3 4 5 6 7 8; do echo "$i,$((i % 3)),$((i > 4))"; done; } > few.csv
said compute subgroups few.csv --target y --max-literals 1 --top 3
said compute subgroups few.csv --target y --positive 2
said compute subgroups few.csv
{ echo a,y; for i in $(seq 30); do echo "$i,$((i * i))"; done; } > many.csv
said compute subgroups many.csv --target y
warned() { cairn "$@" 2>&1 > report.txt || echo "exit $?"; }
warned fit one-r many.csv --target y
warned fit one-r many.csv --target y --task classify
printf 'a,b,y\n1,2,x\n2,3,x\n' > same.csv
for learner in rule-list rule-set ripper one-r tree-rules tree; do
    echo "$learner"
    warned fit $learner same.csv --target y
done

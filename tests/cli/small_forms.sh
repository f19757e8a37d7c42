# SPDX-License-Identifier: MIT
# Rows that are drawn do not end a perceptron by luck; tables of counts; where results go.
printf 'x,y,c\n0,0,a\n1,1,a\n0,1,b\n1,0,b\n0.5,0.5,a\n' >xor.csv
for seed in 1 2 3; do cairn fit perceptron xor.csv --target c --protocol random --seed $seed --quiet | grep '^ended'; done
cairn fit perceptron @iris --target species --where 'species != virginica' --protocol random --quiet | grep '^ended'
printf 'colour,a,b\nred,3,4\nblue,5,6\n' >counts.csv
cairn compute contingency counts.csv | sed -n '/^Counts/,/^$/p'
cairn compute contingency counts.csv --as counts | sed -n '/^Counts/,/^$/p'
printf 'colour,size,x\nred,s,1\nblue,m,2\nred,m,3\n' >rows.csv
cairn compute contingency rows.csv | sed -n '/^Counts/,/^$/p'
printf 'colour,x\nred,1\nblue,2\nred,3\n' >one.csv
cairn compute contingency one.csv
cairn compute f-measure --precision 2/3 --recall 50% --out /dev/stdout | grep '^F:'
cairn draw histogram @iris --column petal_length --out /dev/stdout | head -n 1
cairn draw histogram @iris --column petal_length --out /dev/null --quiet && echo nowhere
cairn compute roc @spam-scores | grep '^positive class'

# SPDX-License-Identifier: MIT
# What is decided unasked and said: row numbers, columns that fitting left out, skewed classes, one
# class without a target, the root of squares and the verdict before the tables.
printf 'Student i,x,y\n1,95,85\n2,85,95\n3,80,70\n4,70,65\n5,60,70\n' > students.csv
cairn fit --full linear students.csv --target y | grep 'y =\|experience\|learned from'
cairn fit --full linear students.csv --target y --id none --quiet | grep 'experience'
cairn evaluate --full linear students.csv --target y --by loo --quiet | sed -n 3,4p
cairn describe --full students.csv | grep -A1 'name the rows'
printf 'x1,x2,y\n1,9,85\n2,5,95\n3,8,70\n4,7,65\n5,6,70\n' > kept.csv
cairn fit --full linear kept.csv --target y | grep 'experience'
printf 'no,y\n1,2\n2,4\n3,7\n4,8\n' > alone.csv
cairn fit --full linear alone.csv --target y | grep 'experience'
printf 'number of rooms,size,price\n1,30,2\n2,50,3\n3,20,4\n4,90,8\n5,60,5\n' > rooms.csv
cairn fit --full linear rooms.csv --target price | grep 'experience'
printf 'id,remark,x,y\n' > notes.csv
for i in 1 2 3 4 5 6 7 8; do echo "$i,a text that is long number $i and says nothing to anybody who reads it,$((i % 4)).5,$((i % 2))" >> notes.csv; done
cairn fit tree notes.csv --target y --kinds remark=text --save tree.cairn --quiet > /dev/null
cairn fit adaboost notes.csv --target y --kinds remark=text --rounds 3 --save bag.cairn --quiet > /dev/null
cairn fit tree notes.csv --target y --kinds remark=text --with standardise --save chain.cairn --quiet > /dev/null
cairn fit tree notes.csv --target y --kinds remark=text --with text-features --save words.cairn --quiet > /dev/null
printf 'x\n0.5\n3.5\n' > new.csv
for model in tree bag chain words; do cairn predict $model.cairn new.csv --quiet | tail -n 1; done
cairn export tree.cairn --to c --out tree.c --quiet && grep -c remark tree.c
{ echo x,y; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "$i.5,$([ $i = 7 ] && echo b || echo a)"; done; } > skew.csv
cairn fit --full tree skew.csv --target y | sed -n '/skewed/,/^$/p'
cairn evaluate --full majority skew.csv --target y --by cv:4 --quiet | grep -A4 '^Note: Th'
cairn fit tree skew.csv --target y | grep skewed
cairn evaluate majority skew.csv --target y --by cv:4 --quiet | grep '^ROC area'
cut -d, -f1 skew.csv > usual.csv
cairn fit --full svm usual.csv --type one-class --nu 0.2 | sed -n 3,5p
cairn fit --full svm @iris --where "species = 'setosa'" --type one-class --quiet | grep '^problem'
cairn compare --full linear majority --on @diabetes --by cv:3 --measure mse | sed -n '/^Note/,/^baseline/p'

# SPDX-License-Identifier: MIT
# Labels spread from row to row: with one a round, the nearest neighbour takes every row between for
# 'a', where the labelled rows alone would give the upper half to 'b'.
printf 'x,class\n0,a\n10,b\n1,?\n2,?\n3,?\n4,?\n5,?\n6,?\n7,?\n8,?\n' >line.csv
cairn fit --full self-training line.csv --target class --learner knn:k=1 --most 1 --rounds 100 --save chain.cairn | sed -n '/Labels/,/itself/p'
cairn predict chain.cairn line.csv --quiet | tail -8 | tr '\n' ' '
echo
cairn fit knn line.csv --target class --k 1 --save alone.cairn --quiet
cairn predict alone.cairn line.csv --quiet | tail -8 | tr '\n' ' '
echo
# Rounds, a class at a time, with few labels of real data; and the same model from its file.
cairn convert @iris iris.csv --quiet
awk -F, -v OFS=, 'NR > 1 && NR % 10 != 2 { $NF = "?" } { print }' iris.csv >few.csv
cairn fit --full self-training few.csv --target species --learner bayes --trust 0.5 --steps --save self.cairn | sed -n '/^Step 2/,/still/p;/Labels/,/itself/p'
cairn evaluate --full self.cairn iris.csv | grep '^accuracy'
cairn fit bayes few.csv --target species --save bayes.cairn --quiet
cairn evaluate --full bayes.cairn iris.csv | grep '^accuracy'
cairn evaluate --full self-training few.csv --target species --learner bayes --by cv:5 | grep '^accuracy'
# Nothing to label, a learner without scores, numbers.
cairn fit --full self-training @iris --learner bayes >whole.txt
grep 'rows with' whole.txt
cairn fit --full self-training line.csv --target class --learner kmeans:clusters=2
cairn fit --full self-training line.csv --target x --learner linear
cairn fit --full self-training line.csv --target class --learner knn:k=1 --confidence 2

# SPDX-License-Identifier: MIT
cairn convert @iris iris.csv --quiet
cairn fit --full bayes iris.csv --target species,petal_length --chunk 50 || echo "exit $?"
cairn fit --full bayes iris.csv --target species --label-mark ';' --chunk 50 || echo "exit $?"
# the class of interest comes in the last chunk only
cairn fit --full bayes iris.csv --target species --against-rest virginica --chunk 50 --save parts.cairn | sed -n '3p;/^Classes/,/^$/p'
cairn fit --full bayes iris.csv --target species --against-rest virginica --save whole.cairn --quiet
for m in parts whole; do cairn evaluate $m.cairn iris.csv --format json | grep '^    "accuracy"'; done
printf 'sepal_length,sepal_width,petal_length,petal_width,species\n5,3,1,0.2,other\n6,3,5,2,virginica\n' > more.csv
cairn fit --full bayes more.csv --target species --from whole.cairn | sed -n '/^Classes/,/^$/p'
cairn fit --full bayes more.csv --target species --against-rest virginica --from whole.cairn || echo "exit $?"

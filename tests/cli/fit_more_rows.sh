# SPDX-License-Identifier: MIT
# a model that takes in more rows, from a file and from a pipe: counts are those of all rows at once
cairn convert @weather all.csv --quiet
{ head -n 6 all.csv; } > first.csv
{ head -n 1 all.csv; tail -n 9 all.csv; } > rest.csv
cairn fit bayes all.csv --target play --id day --save all.cairn --quiet
cairn fit bayes first.csv --target play --id day --save first.cairn --quiet
cairn fit bayes rest.csv --from first.cairn --save both.cairn --format json | grep '"model\.\(rows\|added\)"'
cat all.csv | cairn fit bayes - --target play --id day --chunk 3 --save parts.cairn --quiet
for model in all both parts; do cairn predict $model.cairn all.csv --output all --quiet > $model.txt; done
cmp all.txt both.txt && cmp all.txt parts.txt && echo the same bytes
cairn fit bayes all.csv --target play --with standardise --from first.cairn
cairn fit bayes all.csv --smooth laplace --from first.cairn
cairn fit tree all.csv --from first.cairn
cairn fit tree all.csv --target play --chunk 100
cairn fit bayes all.csv --target play --chunk 3 --steps
cairn fit bayes @weather --chunk 3
printf 'x,y\n1,a\n2,b\nthree,a\n' | cairn fit bayes - --target y --chunk 2

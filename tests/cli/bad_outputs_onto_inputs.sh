# SPDX-License-Identifier: MIT
# Nothing that is written may be a file that is read, or be written twice, by whatever name.
printf 'a,b,y\n1,2,p\n2,1,n\n3,2,p\n4,1,n\n' >d.csv
cp d.csv keep.csv
ln d.csv hard.csv
ln -s d.csv soft.csv
mkdir in
cairn fit majority keep.csv --target y --save m.cairn --quiet
cairn fit majority d.csv --target y --save d.csv
cairn fit majority d.csv --target y --out ./d.csv
cairn fit majority hard.csv --target y --save in/../d.csv
cairn fit majority d.csv --target y --save soft.csv
cairn fit majority d.csv --target y --save x.cairn --out in/../x.cairn
cairn predict m.cairn d.csv --out d.csv
cairn predict m.cairn d.csv --out m.cairn
cairn evaluate majority d.csv --target y --by holdout:0.5 --splits-out d.csv
cairn evaluate majority d.csv --target y --by file:keep.csv --out keep.csv
cairn compare majority tree --on d.csv --target y --out d.csv
cairn tune knn d.csv --target y --over k=1,2 --journal d.csv
cairn describe d.csv --against keep.csv --out keep.csv
cairn compute statistics d.csv --out d.csv
cairn draw histogram d.csv --out d.csv --format html
cairn export m.cairn --out m.cairn
cairn convert d.csv y.csv --with standardise --save y.csv
cairn convert d.csv hard.csv
cairn fit bayes d.csv --target y --with bag:save=d.csv --save z.cairn
printf 'p,n.\na: continuous.\n' >t.names
printf '1,p\n2,n\n3,p\n4,n\n' >t.data
cairn fit majority t.data --save t.names
cmp d.csv keep.csv && ls
# a model that takes more rows in may be saved in its own place
cairn fit bayes d.csv --target y --save b.cairn --quiet
cairn fit bayes keep.csv --from b.cairn --save b.cairn --quiet && echo continued
cairn fit majority d.csv --target y --save /dev/null --out /dev/null --format text && echo devices

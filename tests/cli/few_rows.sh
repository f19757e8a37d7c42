# SPDX-License-Identifier: MIT
# Fewer than ten rows or groups: each is left out in turn, unless folds are asked for.
printf 'a,b,kind\n1,2,p\n2,1.5,p\n3,3,n\n2.5,4,n\n4,2.5,p\n3.5,5,n\n5,4.5,n\n1.5,3.5,p\n' >few.csv
cairn evaluate --full tree few.csv --target kind | grep '^by'
cairn evaluate --full tree few.csv --target kind --by cv:10
cairn compare --full tree bayes --on few.csv --target kind --quiet | grep '^by'
cairn compare --full tree bayes --on few.csv --target kind --format json | grep -m1 '"by"'
cairn evaluate --full linear-td @walks --group episode --features state --quiet | grep '^by'
# A fit of so few rows does not advise an evaluation; a larger one does, with options as they are typed.
cairn fit --full tree few.csv --target kind | grep -A2 optimistic
cairn fit --full kmeans @mlm --clusters 3 --exact | grep -B1 'more measures'

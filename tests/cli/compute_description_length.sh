# SPDX-License-Identifier: MIT
cairn compute description-length @iris --learners 'majority;tree:max-depth=1;tree:max-depth=2;tree' --steps
cairn compute description-length @iris --learners 'majority;bayes' --code probabilities
cairn compute description-length @iris --learners 'bayes; discretise > bayes; discretise:mdl=yes>bayes;bayes-net' --steps
cairn compute description-length @five-points --learners 'majority;linear;basis:degree=2>linear;basis:degree=3>linear' --steps
cairn compute description-length @iris --learners 'mixture:components=1;standardise>mixture:components=1;mixture:components=2' --steps
cairn fit tree @tennis --save tree.cairn --quiet
cairn fit ripper @tennis --save rules.cairn --quiet
cairn compute description-length tree.cairn @tennis --models rules.cairn --learners majority --number-bits 2
cairn draw description-length tree.cairn @tennis --learners majority
cairn compute description-length @iris
cairn compute description-length @iris --learners 'kmeans:clusters=3'
cairn compute description-length @iris --learners 'tree;mixture:components=2'
cairn compute description-length @iris --learners 'nothing>tree'
cairn compute description-length @iris --models missing.cairn
cairn compute description-length @iris --learners 'tree' --code probabilities
# a model of a file judges the same rows alike in any order, whatever number a class has there
printf 'a,b,c\n1,x,yes\n2,x,no\n3,y,no\n4,y,no\n5,x,yes\n6,y,no\n' >first.csv
printf 'a,b,c\n2,x,no\n1,x,yes\n3,y,no\n4,y,no\n5,x,yes\n6,y,no\n' >second.csv
cairn fit bayes first.csv --target c --save m.cairn --quiet
cairn compute description-length m.cairn first.csv --target c
cairn compute description-length m.cairn second.csv --target c
printf 'a,b\n1,x\n' >third.csv
cairn compute description-length m.cairn third.csv

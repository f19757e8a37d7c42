# SPDX-License-Identifier: MIT
# --test: what is learned from one file is judged by the rows of another, as a fitted model would be.
awk 'BEGIN { print "id,a,b,c,y"
    for (i = 0; i < 240; i++) {
        x = (i * 37) % 101; l = (i < 160 ? "uvw" : "uvwz")
        print "r" i "," x "," (i * 53) % 89 "," substr(l, 1 + i % length(l), 1) "," (x + (i * 7) % 40 > 70 ? "yes" : "no") } }' >all.csv
head -161 all.csv >train.csv
(head -1 all.csv; tail -80 all.csv) >test.csv
for learner in tree bayes knn logistic forest boost ripper svm network majority; do
    cairn evaluate $learner train.csv --target y --test test.csv --quiet --format json | grep '"accuracy"' >one
    cairn fit $learner train.csv --target y --save m --force --quiet >/dev/null
    cairn evaluate m test.csv --quiet --format json | grep '"accuracy"' >two
    diff one two >/dev/null && echo "$learner: the same" || { echo "$learner:"; cat one two; }
done
printf '1 1:2 7:1\n-1 2:1\n1 1:3\n-1 2:2 3:1\n1 1:1 3:1\n-1 2:5 7:1\n' >train.libsvm
printf '1 1:2 9:4\n-1 2:1 3:2\n1 1:1\n' >test.libsvm
cairn evaluate logistic train.libsvm --test test.libsvm --format json | grep -e '^    "accuracy"' -e '^    "test'
cairn evaluate tree train.csv --target y --test test.csv --save kept.cairn --out rows.csv --quiet
head -2 rows.csv
cairn describe kept.cairn --format json | grep '^    "rows"'
cairn compare tree majority --on train.csv --test test.csv --target y --format json | grep -e '^    ".*accuracy"' -e '^    "test'
cairn tune tree train.csv --over max-depth=1,3 --test test.csv --target y --format json | grep -e '^    "accuracy"' -e '^    "best"' -e '^    "test'
cairn evaluate linear @used-cars --by first:8 --format json | grep -e '^    "evaluate.*by"' -e '^    "rows"' -e '^    "predictions'
cairn evaluate linear @used-cars --by first:80
cairn evaluate tree train.csv --target y --test test.csv --by cv:5
cairn evaluate tree train.csv --target y --test test.csv --splits-out parts.csv
cairn evaluate m train.csv --test test.csv
cairn evaluate kmeans train.csv --clusters 2 --test test.csv
cairn evaluate tree train.csv --target y --test train.csv >/dev/null
cut -d, -f1-3,5 test.csv >short.csv
cairn evaluate tree train.csv --target y --test short.csv
cairn compare tree majority --on train.csv @iris --test test.csv
cairn tune tree train.csv --over max-depth=1,3 --test test.csv --outer cv:3 --target y
cairn tune kmeans train.csv --over clusters=2,3 --test test.csv
exit 0

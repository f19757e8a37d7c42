# SPDX-License-Identifier: MIT
# A model without the history of its fitting predicts the same and says less of itself.
cairn fit knn @iris --quiet --save with.cairn >/dev/null
cairn fit knn @iris --quiet --no-history --save without.cairn >/dev/null
cairn describe --full with.cairn | grep -c 'best k'
cairn describe --full without.cairn | grep -c 'best k'
cairn predict with.cairn @iris >with.csv
cairn predict without.cairn @iris >without.csv
cmp with.csv without.csv && echo same answers
[ "$(wc -c <without.cairn)" -lt "$(wc -c <with.cairn)" ] && echo smaller
for learner in logistic forest:trees=5; do
    cairn fit $learner @iris --quiet --save with.cairn >/dev/null
    cairn fit $learner @iris --quiet --no-history --save without.cairn >/dev/null
    cairn describe --full with.cairn | grep -cE 'Quality of the fit|Out of bag'
    cairn describe --full without.cairn | grep -cE 'Quality of the fit|Out of bag'
    cairn predict with.cairn @iris --quiet --output all >with.csv
    cairn predict without.cairn @iris --quiet --output all >without.csv
    cmp with.csv without.csv && echo same answers
    [ "$(wc -c <without.cairn)" -lt "$(wc -c <with.cairn)" ] && echo smaller
done

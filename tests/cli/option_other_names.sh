# SPDX-License-Identifier: MIT
# What other tools call the options of boosted trees and forests is taken, and the name here is said once.
for option in --learning-rate --rate --subsample --colsample --reg-lambda --min-child-weight
do
    cairn fit boost @iris $option 0.5 2>&1 >/dev/null
done
for option in --n-estimators --trees --n_estimators --num-leaves --depth
do
    cairn fit boost @iris $option 2 2>&1 >/dev/null
done
cairn fit forest @iris --n-estimators 10 --NTREE 10 2>&1 >/dev/null
cairn fit --full kmeans @iris --n_clusters 3 --save k.cairn --quiet && cairn describe --full k.cairn | grep -a '^command\|clusters 3'
cairn fit --full svm @iris --C 3 --quiet --save s.cairn && cairn fit --full svm @iris --cost 3 --quiet --save t.cairn && cmp s.cairn t.cairn
cairn fit bayes @weather --alpha 1 2>&1 >/dev/null
# The names that options had before.
cairn fit bagging @iris --base tree --members 3 2>&1 >/dev/null
cairn fit vote @iris --member tree --base knn --estimator bayes 2>&1 >/dev/null
cairn fit --full bagging:base=tree,members=3 @iris --quiet --save b.cairn
# Behind a learner's name, in a learner inside another one, in a search.
cairn compare --full boost:learning-rate=0.1 forest:n_estimators=10 @iris 2>&1 | grep -aE '^cairn|^ *(boost|forest)'
cairn fit --full bagging @iris --learner 'random-forest:n_estimators=3' --members 2 2>&1 | grep -aE '^cairn|^base|learner '
cairn tune --full decision-tree @iris --param maxdepth=1,2 2>&1 | grep -aE '^cairn|max-depth'
# Where two of them may be meant, it is asked.
cairn fit --full network @iris --alpha 0.1
cairn evaluate --full knn @iris --metric accuracy
cairn tune --full adaboost @iris --over rounds=2,3 --iterations 10
exit 0

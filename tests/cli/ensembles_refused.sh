# SPDX-License-Identifier: MIT
# Members of another target, weights, description files and sizes that do not fit are refused.
cairn fit tree @iris --target petal_width --save width.cairn --quiet
cairn fit vote @iris --model width.cairn
cairn fit vote @iris --model width.cairn --target petal_length
cairn fit vote @iris --learner tree --learner knn --vote weighted
cairn fit vote @iris --learner tree --learner knn --vote weighted --weights 0.5,0.6
cairn fit vote @iris --learner tree --learner knn --vote weighted --weights -0.5,1.5
cairn fit vote @iris --learner perceptron --vote probabilities
cairn fit vote @iris --learner linear
cairn fit bagging @iris --vote weighted
cairn fit stack @iris --model width.cairn
cairn fit stack @iris --inner cv:500
cairn fit cascade @iris --confidence 2
cairn fit cascade @iris --learner perceptron --learner knn
cairn fit experts @iris --gate tree
printf 'learner,columnz\ntree,petal_width\n' >members.csv
cairn fit vote @iris --members-file members.csv
printf 'learner,rows\ntree,900-1000\n' >members.csv
cairn fit vote @iris --members-file members.csv
printf 'learner,model\ntree,width.cairn\n' >members.csv
cairn fit vote @iris --members-file members.csv
printf 'learner,seed\nforest,1.5\n' >members.csv
cairn fit vote @iris --members-file members.csv
printf 'learner,weight\ntree,0.5\nknn,\n' >members.csv
cairn fit vote @iris --members-file members.csv --vote weighted
printf 'x,class\n1,a\n2,b\n' >two.csv
cairn fit boost-three two.csv --target class
cairn compute vote --votes A,B --weights 0.5
cairn compute vote
exit 0

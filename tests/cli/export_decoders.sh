# SPDX-License-Identifier: MIT
# Every decoder of classes made from two, as C that answers like the model.
tried() {
  echo "$@"
  cairn fit "$@" --save many.cairn > /dev/null 2>&1 && cairn export many.cairn --to c --out many.c 2> told.txt &&
    cc -w -DCAIRN_SELF_TEST -o many many.c -lm && ./many || cat told.txt
}
for rule in argmax reject order; do
  tried one-vs-rest @iris --learner logistic:max-iter=2 --ovr $rule
  tried one-vs-rest @iris --learner logistic:max-iter=2 --ovr $rule --models but-last
done
for loss in hinge logistic exponential squared squared-truncated zero-one; do
  tried output-codes @iris --learner perceptron --decode loss:$loss
  tried one-vs-one @iris --learner tree:max-depth=1 --decode loss:$loss
done
tried one-vs-one @iris --learner tree:max-depth=1
tried one-vs-one @iris --learner tree:max-depth=1 --vote-tie random
# Rejected rows have the code -2.
cairn fit one-vs-rest @iris --learner logistic --ovr reject --features sepal_width --save many.cairn > /dev/null 2>&1
cairn export many.cairn --to c --out many.c 2> /dev/null
cc -w -DCAIRN_SELF_TEST -o many many.c -lm && ./many
cairn predict many.cairn @iris 2> /dev/null | sort | uniq -c

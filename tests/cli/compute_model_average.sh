# SPDX-License-Identifier: MIT
cairn fit bayes @iris --save bayes.cairn --quiet
cairn fit tree:max-depth=1 @iris --save stump.cairn --quiet
cairn fit logistic @iris --save logistic.cairn --quiet
cairn compute model-average bayes.cairn logistic.cairn @iris --steps
cairn compute model-average bayes.cairn stump.cairn logistic.cairn @iris --by prior --prior 0.2,0.3,0.5 --out averaged.csv
head -3 averaged.csv
cairn compute model-average bayes.cairn logistic.cairn @iris --lengths 20,30
cairn compute model-average bayes.cairn @iris
cairn compute model-average bayes.cairn logistic.cairn @iris --prior 0.2,0.3
cairn compute model-average bayes.cairn logistic.cairn @iris --prior 1

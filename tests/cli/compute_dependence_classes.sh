# SPDX-License-Identifier: MIT
# Of more than two classes every one is told.
cairn fit bayes @iris --save b.cairn --quiet
cairn compute dependence b.cairn @iris --columns petal_width,petal_length --points 3
cairn compute dependence b.cairn @iris --columns petal_width --points 3 --of-class virginica

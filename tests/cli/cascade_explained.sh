# SPDX-License-Identifier: MIT
# The stages that a row comes to, what each says, and how sure it would have to be.
cairn fit cascade @iris --learner tree:max-depth=1 --learner bayes --learner knn --save cascade.cairn --quiet
cairn predict cascade.cairn @iris --explain --rows 1,51,71 --quiet | sed -n '/^Step/,$p'
cairn predict cascade.cairn @iris --output class,stage --where 'row() = 1 or row() = 51 or row() = 71' --quiet

# SPDX-License-Identifier: MIT
# What ensembles show: sums of votes by name, out-of-fold rows with split and class, who decides in boost-three; and saved
# members in an evaluation are warned of.
cairn compute vote --votes A,B,B --weights 0.5,0.25,0.25 --steps
cairn compute vote --numbers 3.1,2.7,3.4,9 --steps
cairn compute vote --numbers nan,1
cairn compute vote --numbers 1e308,1e308
cairn fit --full stack @weather --learner tree --learner bayes --steps | sed -n '/out-of-fold/,/final learner$/p'
cairn fit --full vote @weather --learner tree --learner bayes --steps | grep '^Step [0-9]*\. '
cairn fit boost-three @iris --features sepal_length,sepal_width --learner tree:max-depth=1 --save three.cairn --quiet
cairn predict three.cairn @iris --explain --rows 1-2 | sed -n '/^Step/,$p'
cairn fit tree @iris --save tree.cairn --quiet
cairn evaluate vote @iris --model tree.cairn --by cv:3 --format json | grep '"accuracy"'
cairn fit linear @iris --target petal_width --save width.cairn --quiet
cairn predict width.cairn @iris --where 'row() = 60'

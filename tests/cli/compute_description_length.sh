# SPDX-License-Identifier: MIT
cairn compute description-length @iris --learners 'majority;tree:max-depth=1;tree:max-depth=2;tree' --steps
cairn compute description-length @iris --learners 'majority;bayes' --code probabilities
cairn compute description-length @iris --target petal_width --learners 'majority;linear' --steps
cairn fit tree @tennis --save tree.cairn --quiet
cairn compute description-length tree.cairn @tennis --number-bits 4
cairn compute description-length @iris
cairn compute description-length @iris --learners 'kmeans:clusters=3'
cairn compute description-length @iris --learners 'tree' --code probabilities

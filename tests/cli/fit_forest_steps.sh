# SPDX-License-Identifier: MIT
# The rows of every tree, the columns that its nodes look at, and the votes of out-of-bag trees.
cairn fit --full forest @weather --target play --trees 3 --mtry 2 --max-depth 2 --steps |
    sed -n '/^Steps/,/^The forest/p'

# SPDX-License-Identifier: MIT
# Pictures of a forest, and a model that has none of them.
cairn fit forest @weather --target play --trees 2 --save forest.cairn --quiet
cairn draw forest forest.cairn
cairn draw forest forest.cairn --part map

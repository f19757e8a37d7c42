# SPDX-License-Identifier: MIT
# Why a forest answers as it does: the votes, and what its trees asked the row for.
cairn fit forest @iris --target species --trees 20 --save forest.cairn --quiet
cairn predict forest.cairn @iris --explain --rows 71 | sed -n '/^Step 1/,$p'
cairn fit forest @iris --target petal_width --trees 20 --save forest.cairn --quiet
cairn predict forest.cairn @iris --explain --rows 71 | sed -n '/^Step 1/,$p'

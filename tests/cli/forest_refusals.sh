# SPDX-License-Identifier: MIT
# What a forest cannot do is said before the work, with the option to change.
cairn fit forest @iris --target species --importance permutation --sample all
cairn fit forest @iris --target petal_width --class-weight balanced
cairn fit forest @iris --target species --trees 0
cairn fit forest-cluster @iris --clusters 400

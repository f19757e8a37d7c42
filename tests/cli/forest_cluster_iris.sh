# SPDX-License-Identifier: MIT
# Groups without a target by telling rows from a contrast.
cairn fit --full forest-cluster @iris --ignore species --clusters 3 --trees 50 | sed '/^Rows by their/,$d'

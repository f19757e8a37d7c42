# SPDX-License-Identifier: MIT
# three densities of the same numbers, by hand, per group, and refusals
cairn compute density --values 1,2,2,3,7 --bins 3 --bandwidth 1 --kernel uniform --at 0,2,7 | sed -n '/^Densities/,/^$/p'
cairn compute density @iris --column petal_length --by species --at 1.5,5 | sed -n '/^Densities/,/^$/p'
cairn compute density --values nan,nan
cairn compute density --values 1,2 --at inf

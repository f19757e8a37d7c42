# SPDX-License-Identifier: MIT
# Row by row: centres 0 and 10 count as one row each, so 0, 10, 1, 9 move them to 0, 10, 1/3, 29/3.
printf 'x\n0\n10\n1\n9\n' >four.csv
cairn fit --full kmeans four.csv --clusters 2 --init first --scale none --protocol online --steps | sed -n '/^Step 1/,/^  4/p'
# A weight is so many rows at once: 1 with weight 2 moves the first centre to 2/4.
printf 'x,w\n0,1\n10,1\n1,2\n' >weights.csv
cairn fit --full kmeans weights.csv --clusters 2 --init first --scale none --weight w --protocol online --steps | sed -n '/^Step 1/,/^  3/p'
cairn fit --full kmeans @iris --clusters 3 --scale none --protocol random | grep -E '^(within|converged)'
cairn fit --full kmeans @iris --clusters 3 --protocol online --empty drop

# SPDX-License-Identifier: MIT
# the sorted table of distances, the vote with a tie, the table of k
cairn fit --full knn @neighbours --scale none --k 4 --query "2.8,2.6" --steps --tie smaller-k | sed -n '/^Step 1/,/^The query/p;/^Neighbours/,/^best/p'
# a training row is answered by the others, all of which are shown; rows that are equally near are counted
cairn fit --full knn @neighbours --scale none --k 3 --steps | sed -n '/^Step 1/,/^class/p'

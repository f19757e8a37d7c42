# SPDX-License-Identifier: MIT
# Candidates of splits and what they gain. No cell is missing: no test says where missing ones go.
printf 'x,y\n1,1\n2,3\n3,4\n4,10\n5,14\n' > line.csv
cairn fit --full boost line.csv --target y --rounds 1 --eta 0.5 --max-leaves 3 --min-leaf 1 --steps
# A constraint limits the leaves below the first split.
printf 'x,y\n1,1\n2,6\n3,2\n4,7\n5,5\n6,9\n' > rising.csv
cairn fit --full boost rising.csv --target y --rounds 1 --max-leaves 4 --min-leaf 1 --l2 0 --monotone +x --steps
# Two classes, and parts of two rows at least.
printf 'x,y\n1,a\n2,a\n3,b\n4,a\n5,b\n6,b\n' > two.csv
cairn fit --full boost two.csv --target y --rounds 2 --max-leaves 2 --min-leaf 2 --steps
# A part whose residuals cancel is shown with G = 0, not with what rounding leaves.
printf 'x,y\n1,0.1\n2,0.3\n3,0.5\n4,0.2\n5,0.4\n' > cancel.csv
cairn fit --full boost cancel.csv --target y --rounds 1 --max-leaves 2 --min-leaf 1 --steps

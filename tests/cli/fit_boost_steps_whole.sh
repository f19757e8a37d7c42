# SPDX-License-Identifier: MIT
# No cell is missing: no test says where missing ones go.
printf 'x,y\n1,1\n2,3\n3,4\n4,10\n5,14\n' > line.csv
cairn fit boost line.csv --target y --rounds 1 --eta 0.5 --max-leaves 3 --min-leaf 1 --steps

# SPDX-License-Identifier: MIT
# The boundary of a linear model over squares is drawn back as a circle of radius 2 around 0,0.
awk 'BEGIN { print "a,b,y"; for (i = -3; i <= 3; i++) for (j = -3; j <= 3; j++) print i "," j "," i * i + j * j - 4 }' > circle.csv
cairn fit linear circle.csv --target y --task regress --with basis:squares --save m.cairn --quiet
cairn draw regions m.cairn circle.csv --target y --levels 0 --grid 60 --out circle.svg --quiet
grep -c 'predicted 0' circle.svg
cairn draw regions m.cairn circle.csv --target y --levels 0 --grid 60
cairn draw regions m.cairn circle.csv --target y --at c=1

# SPDX-License-Identifier: MIT
# Trees of clusters: steps, cuts, new rows, and what is refused.
cairn fit --full hierarchy @distances-five --as distances --linkage single --clusters 2 --steps --save five.cairn
cairn fit --full hierarchy @grid --linkage complete --scale none --clusters 2 | grep -A 3 '^Note'
printf 'x,y\n0,0\n1,0\n0.5,0.9\n' > three.csv
cairn fit --full hierarchy three.csv --linkage centroid --scale none --height 0.95
cairn fit --full hierarchy @iris --ignore species --linkage ward --clusters 3 --save iris.cairn | sed -n '/^Hierarchical clustering$/,/^Merges/p'
cairn predict iris.cairn @iris --output all | sed -n '1,4p;51,53p'
cairn fit --full hierarchy three.csv --clusters 4
cairn fit --full hierarchy three.csv --linkage average --scale none --height 2
cairn fit --full hierarchy three.csv --height -1
cairn fit --full hierarchy three.csv --method diana --linkage single
printf 'a,b\n0,1\n2,0\n' > skew.csv
cairn fit --full hierarchy skew.csv --as distances
printf 'a,b\n0,-1\n-1,0\n' > negative.csv
cairn fit --full hierarchy negative.csv --as distances
printf 'a,b\n1,1\n1,0\n' > self.csv
cairn fit --full hierarchy self.csv --as distances
cairn fit --full hierarchy @distances-five --as distances --distance manhattan
cairn compute generate blobs --rows 6000 --out many.csv --quiet > generated.txt
cairn fit --full hierarchy many.csv --memory 60M --linkage average
cairn fit --full hierarchy many.csv --memory 60M --linkage ward --clusters 2 --quiet | grep '^clusters of'

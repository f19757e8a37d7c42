# SPDX-License-Identifier: MIT
# Distances to the third row, the row itself counted; the bend is what dbscan takes for eps.
cairn compute k-distances @kmeans-twelve --min-points 3 | head -n 32
cairn fit dbscan @kmeans-twelve --min-points 3 --scale none | grep '^eps'
cairn compute k-distances @kmeans-twelve --min-points 20 | head -n 8
cairn compute k-distances @kmeans-twelve --min-points 0; echo $?
cairn compute k-distances @kmeans-twelve --min-points 3 --out d.csv --quiet; head -n 3 d.csv
cairn fit optics @kmeans-twelve --min-points 3 --scale none --save o.cairn --quiet > o.txt
cairn draw condensed-tree o.cairn; echo $?
cairn draw reachability o.cairn | head -n 3

# SPDX-License-Identifier: MIT
# Parameters out of range, all noise, one cluster, rows that are not there, missing cells.
cairn fit dbscan @kmeans-twelve --eps 0; echo $?
cairn fit dbscan @kmeans-twelve --eps 5 --min-points 0; echo $?
cairn fit dbscan @kmeans-twelve --eps 5 --scale none --min-points 13 | grep -A1 'All rows'
cairn fit dbscan @kmeans-twelve --eps 0.5 --scale none --min-points 3 | grep '^clusters'
cairn fit dbscan @kmeans-twelve --eps 50 --scale none | grep -A1 'one cluster'
cairn fit dbscan @kmeans-twelve --eps 5 --query 4,99; echo $?
cairn fit dbscan @kmeans-twelve --eps 5 --query 4; echo $?
cairn fit dbscan @kmeans-twelve --eps 5 --distance euclid; echo $?
printf 'x,y\n1,2\n1,\n2,2\n' > gaps.csv
cairn fit dbscan gaps.csv --eps 1.5 --min-points 2 --missing fail; echo $?
cairn fit dbscan gaps.csv --eps 0.5 --min-points 2 --distance gower | grep '^clusters'
printf 'a,b\n0,1\n2,0\n' > d.csv
cairn fit dbscan d.csv --as distances --eps 1; echo $?

# SPDX-License-Identifier: MIT
# trees and choices say whether columns were scaled, and take the learner's --scale
cairn convert @kmeans-seven seven.csv && cairn compute dendrogram seven.csv --id no --clusters 2 | head -12
# a table of a text has units of its own, said in every form of a fit
cairn compute dendrogram @kmeans-seven --clusters 2 | head -12
cairn fit knn @neighbours --k 3 | head -4
cairn fit knn @neighbours --k 3 --full | grep -A 1 'transform 2'
cairn compute dendrogram @kmeans-seven --clusters 2 --scale none | head -12
cairn compute choose-k @kmeans-seven --to 3 --references 0 --scale none | head -5
cairn draw linkages @grid --linkages single --scale standardise --out trees.svg && grep -c 'distance, standardised columns' trees.svg
cairn draw merging @grid --most 1 --scale standardise --out steps.svg && grep -c 'distances of standardised columns' steps.svg
# what other tools call options
cairn fit kmeans @iris --k 3 2>&1 >/dev/null
cairn fit dbscan @iris --min-samples 3 2>&1 >/dev/null
cairn fit dbscan @iris --metric manhattan 2>&1 >/dev/null
cairn evaluate --full knn @iris --metric accuracy || echo $?
# only distances between 0 and 1 have a similarity
cairn compute distances --points 'A=0,0;B=4,0' --similarity || echo $?
# matrices that are none of distances
printf 'a,b\n0,-1\n-1,0\n' | cairn compute metric - --matrix
printf 'a,b,c\n0,1,1\n1,0,1\n' | cairn compute metric - --matrix || echo $?
printf 'a,b\n0,\n1,0\n' | cairn compute metric - --matrix || echo $?
printf 'a,b\n0,2\n1,0\n' | cairn compute metric - --as distances || echo $?
# one height of a cut in words and picture
cairn fit --full hierarchy @iris --ignore species --clusters 3 | grep -E 'height of the cut|cut at'
# the condensed tree stands over the rows, from 0 on
cairn fit --full hdbscan @iris --ignore species --save h.cairn >h.txt && cairn draw condensed-tree h.cairn --out h.svg && grep -cE '>(-|−)[0-9]' h.svg
# the command that shows what eps was chosen by
cairn fit --full dbscan @iris --ignore species | grep -a -A 4 'was not given'
cairn help hclust | head -3

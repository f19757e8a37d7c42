# SPDX-License-Identifier: MIT
# Clusters as sets of names, where rows have names: an id column, one that is found, a matrix of distances
printf 'name,x,y\nann,1,2\nbob,1.5,1.8\ncid,5,8\ndee,8,8\neve,1,0.6\nfay,9,11\nsix,50,-50\n' > people.csv
sets() { sed -n '/^Clusters as sets/,/^$/p'; }
cairn fit --full kmeans people.csv --id name --clusters 3 | sets
cairn fit --full kmeans people.csv --clusters 2 --quiet | sets
cairn fit --full dbscan people.csv --id name --eps 1 --min-points 2 | sets
cairn fit --full kmedoids @distances-five --clusters 2 | sets
cairn fit kmedoids @distances-five --clusters 2 --format json | grep '"cluster2.rows"'
# without names, and where a description has the sets already
cut -d, -f2,3 people.csv > nameless.csv
cairn fit --full kmeans nameless.csv --clusters 2 | sets
cairn fit --full hierarchy people.csv --id name --clusters 2 | sets

# SPDX-License-Identifier: MIT
# Clusterers compared: on all rows and over splits, beside a labelling, several tables with ranks,
# given distances; stability of clusters; what is refused.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compare --full kmeans:clusters=2 kmeans:clusters=3 --on @iris --target species --by cv:4
said compare --full kmeans:clusters=2 kernel-kmeans:clusters=2 --on @iris --ignore species --by none --measure davies-bouldin
said compare --full kmeans:clusters=2 kmeans:clusters=3 --on @kmeans-twelve @grid @kmeans-fifteen --by none | tail -24
said compare --full kmeans:clusters=2 kmeans:clusters=3 --on @iris --ignore species --by cv:3 --steps | grep -E '^Step'
said evaluate --full kmeans @iris --ignore species --clusters 3 --stability 10 | tail -18
printf 'a,b,c,d,e,f\n0,1,2,7,8,9\n1,0,1,6,7,8\n2,1,0,5,6,7\n7,6,5,0,1,2\n8,7,6,1,0,1\n9,8,7,2,1,0\n' > six.csv
said evaluate --full dbscan six.csv --as distances --eps 2 --min-points 2 --stability 5
said compare --full dbscan:eps=2,min-points=2 dbscan:eps=0.5,min-points=1 --on six.csv --as distances --by cv:3 | head -32
said compare --full kmeans:clusters=2 majority --on @iris
said compare --full kmeans:clusters=2 kmeans:clusters=3 --on @iris --measure accuracy
said compare --full kmeans:clusters=2 kmeans:clusters=3 --on @iris --ignore species --measure rand
said compare --full kmeans:clusters=2 kmeans:clusters=3 --on @iris --noise 1
said compare --full tree majority --on @iris --cluster-distance manhattan
said compare --full kmeans:clusters=2 kmeans:clusters=300 --on @iris --ignore species
said evaluate --full tree @iris --stability 3

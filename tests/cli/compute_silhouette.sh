# SPDX-License-Identifier: MIT
# Silhouettes of typed clusters, a column, a model, given distances; weights as repeated rows; a
# sample; rows that are alone or cannot be compared; the picture; what is refused.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
printf 'x,y,w,g\n0,3,1,a\n3,3,2,a\n3,0,1,b\n-2,-4,1,b\n-4,-2,3,\n' > five.csv
said compute silhouette five.csv --ignore w,g --partition '1,2;3-5' --squared --steps
said compute silhouette five.csv --ignore w --clusters g --self
printf 'x,y\n0,3\n3,3\n3,3\n3,0\n-2,-4\n-4,-2\n-4,-2\n-4,-2\n' > eight.csv
said compute silhouette five.csv --ignore g --weight w --labels 1,1,2,2,2 --format json | grep -E '"(silhouette|row1.s|row5.s|cluster.2.mean)"'
said compute silhouette eight.csv --labels 1,1,1,2,2,2,2,2 --format json | grep -E '"(silhouette|row1.s|row8.s|cluster.2.mean)"'
said compute silhouette five.csv --ignore w,g --labels 1,1,2,3,3 --distance manhattan
printf 'a,b,c,d\n0,1,5,6\n1,0,4,7\n5,4,0,2\n6,7,2,0\n' > square.csv
said compute silhouette square.csv --as distances --labels 1,1,2,2
cairn fit kmeans @iris --ignore species --clusters 3 --save m.cairn --quiet > fit.txt
said compute silhouette m.cairn @iris --sample 20 --seed 3 --format json | grep -E '"(by|judged|silhouette|row[0-9]*.s)"' | head -6
said compute silhouette m.cairn @iris --out rows.csv --quiet | head -14
head -3 rows.csv
said draw silhouettes five.csv --ignore w,g --labels 1,1,2,2,2
said draw silhouettes @iris --target species
said compute silhouette five.csv --ignore w,g --labels 1,1,1,1,1
said compute silhouette five.csv --ignore w,g
said compute silhouette five.csv --ignore w,g --labels 1,1,2,2,2 --distance wide
said compute silhouette square.csv --as distances --labels 1,1,2,2 --distance manhattan
printf 'x,g\n1e200,a\n-1e200,b\n3,a\n' > huge.csv
said compute silhouette huge.csv --clusters g
printf 'x,g\n1,a\n' > one.csv
said compute silhouette one.csv --clusters g
printf 'x,g\n2,a\n2,b\n2,a\n' > equal.csv
said compute silhouette equal.csv --clusters g --format json | grep -E '"(silhouette|row1.s)"'
printf 'x,g\n1,a\n?,a\n3,b\n4,b\n' > gap.csv
said compute silhouette gap.csv --clusters g
said compute silhouette gap.csv --clusters x --features x

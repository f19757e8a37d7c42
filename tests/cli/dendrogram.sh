# SPDX-License-Identifier: MIT
# Trees of clusters: read, cut, told, written; what cannot be is refused with its place.
printf '((a:15,b:15):10,((c:7.5,d:7.5):7.5,e:15):10);\n' >five.nwk
printf 'cluster,left,right,height\ncd,c,d,7.5\nab,a,b,15\ncde,cd,e,15\nall,ab,cde,25\n' >five.csv
cairn compute dendrogram five.nwk --height 20 --steps
cairn compute dendrogram five.csv --clusters 4 --result clusters --out labels.csv >/dev/null
cat labels.csv
cairn compute dendrogram five.csv --result cophenetic --out cophenetic.csv >/dev/null
cat cophenetic.csv
cairn compute dendrogram five.csv --out again.nwk >/dev/null
cmp five.nwk again.nwk
echo "== of rows, distances and a model"
cairn compute dendrogram @distances-five --as distances --learner hierarchy:method=diana --clusters 2 --out diana.nwk --format json |
    sed -n 's/.*"\(cluster[12].leaves\|cophenetic_correlation\|top\)": \(.*\)/\1 \2/p'
cat diana.nwk
cairn fit hierarchy @grid --linkage complete --clusters 2 --save grid.cairn --quiet >/dev/null
cairn draw dendrogram grid.cairn
cairn draw dendrogram grid.cairn --root top
cairn draw dendrogram five.nwk --sets --root bottom
cairn draw dendrogram @iris --ignore species --clusters 3 --most 8
cairn draw dendrogram @triangle --learner hierarchy:linkage=centroid
echo "== refused"
refused() {
    echo "\$ cairn $*"
    cairn "$@" 2>&1 >/dev/null
    echo "exit $?"
}
refused compute dendrogram
refused compute dendrogram five.nwk --height 26
refused compute dendrogram five.nwk --clusters 6
refused compute dendrogram five.nwk --clusters 2 --height 3
refused compute dendrogram five.nwk --result clusters --out x.csv
refused compute dendrogram @iris --learner kmeans:clusters=2
printf '((a:15,b:15):10,(c:7.5,d);\n' >bad.nwk
refused compute dendrogram bad.nwk
printf 'left,right,height\na,b,1\nb,a,2\n' >bad.csv
refused compute dendrogram bad.csv
refused convert @iris iris.nwk
refused draw linkages five.nwk
refused draw linkages @grid --linkages single,nearest
refused draw merging @distances-five --as distances
refused draw splinter @kmeans-seven --row 9
refused fit hierarchy @distances-five --as distances --method bisecting
refused fit hierarchy @grid --method bisecting --distance manhattan

# SPDX-License-Identifier: MIT
# Pictures of clusters say what they show; what is meant by an option of another name is guessed.
count() {
    grep -o "$2" "$1" | wc -l
}
printf 'k,x,y\n1,0,0\n1,0,1\n1,1,0\n1,9,9\n1,9,8\n1,8,9\n1,4,5\n' >rows.csv
echo "== a column in which all rows are equal is no axis; noise is in the legend, and shares leave it out"
cairn fit --full dbscan rows.csv --eps 2 --min-points 2 --scale none --save m.cairn | sed -n '/^Clusters/,/^$/p'
cairn draw clusters m.cairn rows.csv --out c.svg --quiet
for word in '>k<' '>x<' '>y<' '>noise<'; do echo "$word $(count c.svg "$word")"; done
cairn draw clusters m.cairn rows.csv --y k --out c.svg --quiet
for word in '>k<' '>x<' '>y<'; do echo "$word $(count c.svg "$word")"; done
echo "== many clusters: the rest of the legend is counted"
cairn fit kmeans @iris --ignore species --clusters 40 --save many.cairn --quiet >/dev/null
cairn draw clusters many.cairn @iris --out many.svg --quiet
for word in '>cluster [0-9]*<' '>… 8 more<' '>middle<'; do echo "$word $(count many.svg "$word")"; done
echo "== Manhattan distances have a best place, too"
cairn draw exemplars --points '0,3;3,3;3,0;-2,-4;-4,-2' --out e.svg --quiet
count e.svg '>column medians<'
echo "== reachability without a bound"
cairn fit optics rows.csv --eps 2 --min-points 2 --scale none --save o.cairn --quiet >/dev/null
cairn draw reachability o.cairn --out o.svg --quiet
count o.svg '∞'
echo "== meant by another name"
cairn fit --full kmedoids rows.csv --method CLARA || echo $?
cairn compute silhouette rows.csv --clusters 3 || echo $?
cairn compute memberships rows.csv --clusters 3 || echo $?
cairn compute silhouette rows.csv --clusters z || echo $?

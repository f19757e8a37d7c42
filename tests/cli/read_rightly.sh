# SPDX-License-Identifier: MIT
# What the texts print is read as they mean it, by every verb, or asked for: numbers and names of
# rows, matrices of distances with names.
printf 'Student,x,y\n1,15,49\n2,28,63\n3,42,58\n' > students.csv
printf 'i,x,y\n1,1,1\n2,2,3\n3,3,4\n' > few.csv
printf 'name,x,y\nA,1,2\nB,2,3\nC,3,5\n' > names.csv
printf 'point,x,y\nA,1,2\nB,2,3\nC,3,5\nD,4,9\n' > points.csv
printf 'first,x,y\n1,1,2\n2,2,3\n3,3,5\n' > open.csv
for table in students few names points open; do cairn fit --full linear $table.csv --target y | grep experience; done
cairn evaluate --full linear students.csv --target y --by loo --quiet | grep 'learned from'
cairn compute distances students.csv --quiet | grep -A2 '^euclidean'
cairn draw lines students.csv --quiet | tail -n 1
printf 'city,a,b,c,d\na,0,2,11,9\nb,2,0,8,7\nc,11,8,0,3\nd,9,7,3,0\n' > named.csv
sed 's/^[a-z]*,//' named.csv > plain.csv
printf ',1,2,3\n1,,,\n2,2,,\n3,11,8,\n' > half.csv
for learner in 'hierarchy --linkage single' 'hierarchy --method diana' 'kmedoids --clusters 2' 'dbscan --eps 3 --min-points 2'; do
    cairn fit --full $learner named.csv --as distances | grep 'experience\|^height\|^cost\|^clusters:'
done
cairn convert @distances-five five.csv --quiet && cairn fit --full hierarchy five.csv --quiet | grep 'experience\|^height'
cairn fit --full hierarchy half.csv | grep '^height'
cairn fit --full kmedoids plain.csv --clusters 2
cairn fit --full kmeans named.csv --clusters 2
cairn fit --full kmeans named.csv --clusters 2 --as table --quiet | grep experience
cairn compute map named.csv | grep '^distance'
sed 's/$/,u/;1s/u$/kind/;2s/u$/v/' named.csv > kinds.csv
cairn fit --full dbscan kinds.csv --eps 3 --as distances
cairn fit --full knn kinds.csv --k 1 --target kind --as distances | grep experience

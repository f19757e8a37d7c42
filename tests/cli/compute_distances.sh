# SPDX-License-Identifier: MIT
# distances of all pairs, of two sets, by several distances; what is written can be read again
cairn compute distances --points 'O=0,0;A=0,1;C=1,1' --distance euclidean --distance minkowski:p=0.8 --steps
cairn compute distances @weather --rows 1-3 --against 4-5 --distance hamming --distance gower --target play --steps
cairn compute distances --points '1,2;3,4' --weights 2,1 --distance squared --distance minkowski:p=3 --steps
cairn compute distances @iris --target species --distance cosine --similarity
cairn compute distances @iris --target species --out iris.csv >/dev/null
cairn fit knn iris.csv --as distances --target species --k 3 | grep -E '^(distance|search):'
cairn fit knn iris.csv --as distances --target species --k 3 | grep -c 'much alike'
cairn compute metric iris.csv --as distances --target species
printf 'text,topic\nthe cat sat on the mat,pets\na cat and a dog,pets\nthe market fell today,money\nstocks and the market rose,money\n' >docs.csv
cairn compute distances docs.csv --kinds text=text --target topic --with bag --distance jaccard --distance cosine --distance euclidean --steps
cairn compute distances --points '1,2;3,4' --weights 2 || echo $?
cairn compute distances --points '1,2;3,4' --weights 2,1 --distance cosine || echo $?
cairn compute distances @iris --distance edit || echo $?
cairn compute distances iris.csv --as distances --target species --distance manhattan || echo $?
cairn compute distances @iris --target species --rows 1-2000 || echo $?
printf 'x\n1\n' | cairn compute distances - || echo $?
printf 'a,b,c\n0,1,5\n2,0,1\n-1,1,0.5\n' | cairn compute metric - --matrix
cairn compute edit --from 'the cat sat' --to 'a cat sat down' --items
cairn compute edit --from '' --to häuser
cairn compute edit --from 10110 --to 11100 --steps
cairn compute jaccard --sets 'A=red green;B=green blue;C=red' --steps
cairn compute jaccard --sizes 3,4 --common 5 || echo $?
cairn compute voronoi --points 'A=0,0;B=4,0;C=0,3' --distance manhattan --order 2
cairn compute voronoi @iris --target species || echo $?

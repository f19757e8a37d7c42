# SPDX-License-Identifier: MIT
# distances as a matrix, words by their letters, mixed columns with gaps
printf 'd1,d2,d3,d4,kind\n0,1,4,5,a\n1,0,3,4,a\n4,3,0,1,b\n5,4,1,0,b\n' >d.csv
cairn fit knn d.csv --as distances --target kind --k 1 --save m.cairn | grep -E '^(distance|search):'
printf 'd1,d2,d3,d4\n9,8,2,1\n' >q.csv
cairn predict m.cairn q.csv --output label,neighbours
printf 'word,kind\nkitten,animal\nmitten,cloth\nkittens,animal\nmittens,cloth\n' >w.csv
cairn fit knn w.csv --target kind --kinds word=text --distance edit --k 1 --save m.cairn --quiet
printf 'word\nkittie\n' | cairn predict m.cairn - --output label,distances
printf 'x,colour,y\n1,red,1.5\n2,?,2.5\n?,blue,3.5\n4,blue,4.5\n' >g.csv
cairn fit knn g.csv --target y --distance gower --k 2 --save m.cairn --quiet
printf 'x,colour\n?,red\n4,green\n' | cairn predict m.cairn - --output label,neighbours
cairn list distances | sed -n '/canberra/,/squared/p'
cairn list kernels | sed -n '/laplace/,/sigmoid/p'

# SPDX-License-Identifier: MIT
# Power law, logarithm, a learner's curve, and a point that is moved.
printf 'x,y\n1,60\n2,88\n3,84\n5,110\n8,125\n13,130\n21,170\n34,180\n' >points.csv
cairn compute curve-fit points.csv --target y --degrees 1 --power --log --learner knn:k=3 --move 8:34,60 --steps | sed '/^Curves fitted/,$d'

# SPDX-License-Identifier: MIT
# merges of levels, distances of nearest rows, eigenvectors before they are divided by their length
printf 'c,y\na,1\na,0\nb,1\nb,1\nb,0\nd,1\ne,0\ne,0\ne,1\nd,1\n' > levels.csv
cairn fit majority levels.csv --target y --kinds y=boolean --with group:by=target,count=2 --steps | sed -n '/^Merges/,/^$/p'
printf 'x,z,c\n1,2,a\n2,4,a\n3,,b\n10,20,b\n11,21,?\n' > holes.csv
cairn fit kmeans holes.csv --clusters 2 --with impute:method=nearest,k=2 --steps | sed -n '/d = mean/,/^Rows/p'
cairn fit kmeans holes.csv --clusters 2 --with impute:method=nearest,k=2,distance=euclidean --steps | sed -n '/d = √/,/^Rows/p'
cairn fit kmeans @pca --clusters 2 --with pca --steps | sed -n '/^Covariance/,/^Scores/p'

# SPDX-License-Identifier: MIT
cairn fit kmeans @iris --clusters 3 --with pca:2 --save iris.cairn --quiet
cairn predict iris.cairn @iris --out said.csv --quiet
head -n 3 said.csv
cairn evaluate tree @titanic --target survived --by cv:3 --with pca:components=2,scale=yes --format json |
    grep -o '"accuracy":[^,]*' | head -n 1 | cut -c 1-14

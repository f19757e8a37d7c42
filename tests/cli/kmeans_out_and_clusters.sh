# SPDX-License-Identifier: MIT
cairn fit kmeans @iris --clusters 3 --scale none --save k.cairn --out labels.csv --quiet
head -n 2 labels.csv | cut -c 1-18
cut -d, -f1 labels.csv | sort | uniq -c | sort -n | tr -s ' '
cairn draw clusters k.cairn @iris --out k.svg
head -c 4 k.svg; echo
cairn predict k.cairn @iris --quiet | head -n 2

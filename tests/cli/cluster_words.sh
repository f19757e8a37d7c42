# SPDX-License-Identifier: MIT
# What is said around clusters: rows in none in every table, the measure that is compared, the file
# that --out writes, the form that its ending chooses, help on a verb with a name behind it.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compare --full kmeans:clusters=3 kmedoids:clusters=3 dbscan --on @iris --target species --by cv:4
said evaluate --full dbscan @iris --target species | tail -9
said evaluate --full optics @iris --target species --by cv:5 | head -10
said fit --full kmeans @iris --ignore species --clusters 3 --out km.model | tail -2
said fit --full kmeans @iris --ignore species --clusters 3 --out km.txt --save km.cairn | tail -3
said export km.cairn --out km.c
head -1 km.c
said export km.cairn --out km.json
said export km.cairn --out km.bin
said help compute distances | head -3
said compute edit --help | head -3
said help clustering | head -12
said compute independence @weather | grep -A 14 "^Where"
said compute distances @iris --ignore species --out d.csv
said fit --full kmedoids d.csv --as distances --clusters 3 | head -14

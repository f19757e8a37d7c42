# SPDX-License-Identifier: MIT
# Kernel k-means: rings, a given matrix, texts, and what is refused
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
cairn compute generate rings --rows 60 --classes 2 --no-truth --out rings.csv --quiet
cairn fit --full kernel-kmeans rings.csv --ignore class --clusters 2 --gamma 3 --save rings.cairn | sed -n '/Kernel k-means/,$p' | head -40
printf 'x1,x2\n0,0\n3,0\n' >new.csv
cairn predict rings.cairn new.csv --output all
said export rings.cairn --to c --out rings.c
cairn fit --full kernel-kmeans rings.csv --ignore class --clusters 2 --gamma 3 --assign mean --save mean.cairn --quiet >mean.txt
said export mean.cairn --to c --out mean.c
cairn compute gram @five-values --kernel rbf --sigma 20 --out gram.csv --quiet
said fit kernel-kmeans gram.csv --as gram --clusters 2 --assign mean --kernel poly
cairn fit --full kernel-kmeans gram.csv --as gram --clusters 2 --assign mean --save gram.cairn --quiet >given.txt
cairn predict gram.cairn gram.csv
cairn fit --full kernel-kmeans gram.csv --as gram --clusters 2 --save gram.cairn --quiet >given.txt
said predict gram.cairn gram.csv
printf 'word\nbanana\nananas\nbandana\ntable\ncable\nstable\n' >words.csv
cairn fit kernel-kmeans words.csv --kinds word=text --kernel spectrum --length 2 --normalise --clusters 2 --format json | grep '"assign'
said fit kernel-kmeans @five-values --clusters 6
said fit kernel-kmeans @five-values --clusters 2 --given 1,1,1,1,1
said fit kernel-kmeans @five-values --clusters 2 --given 1,2

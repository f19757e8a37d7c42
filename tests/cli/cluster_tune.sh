# SPDX-License-Identifier: MIT
# Parameters of clusterers chosen by measures of clusters: on all rows, over splits with the one
# standard error rule, beside a labelling, judged by outer splits, saved; what is refused.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said tune --full kmeans @iris --ignore species --over clusters=2:5 --steps --save best.cairn
said describe best.cairn --format json | grep -E '^ +"clusters":'
said tune --full kmeans @iris --target species --over clusters=2:5 --measure adjusted-rand --by cv:5 --choose one-se --outer cv:3
said tune kmeans @iris --ignore species --over clusters=2,3 --over 'with=none|standardise' --measure davies-bouldin --cluster-distance manhattan --format json | grep -E '"(best|trial1.davies-bouldin)":'
said tune kmeans @iris --ignore species --over clusters=2:4 --search halving --least-rows 40 --by holdout:0.3 --format json | grep -E '"best":'
said tune --full dbscan @iris --ignore species --over eps=0.3,0.5,0.8 | sed -n 7,18p
said evaluate --full kmeans @iris --ignore species --clusters 3 --figure roc
said tune --full kmeans @iris --ignore species --over max-iter=1,2
said tune --full kmeans @iris --ignore species --over clusters=2:3 --measure accuracy
said tune --full kmeans @iris --ignore species --over clusters=2:3 --measure rand
said tune --full kmeans @iris --ignore species --over clusters=200,300
said tune --full tree @iris --over max-depth=1:2 --cluster-distance euclidean

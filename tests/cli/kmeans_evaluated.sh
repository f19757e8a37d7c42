# SPDX-License-Identifier: MIT
# shape alone; beside a known labelling; held-out rows; a saved model; another distance
cairn evaluate kmeans @iris --ignore species --clusters 3
cairn evaluate kmeans @iris --target species --clusters 3 --by holdout:0.3
cairn fit kmeans @iris --target species --clusters 3 --save k.cairn --quiet > /dev/null
cairn evaluate k.cairn @iris --target species --cluster-distance manhattan \
    --measure silhouette,adjusted-rand
cairn evaluate kmeans @iris --ignore species --clusters 3 --measure rand
cairn evaluate kmeans @iris --ignore species --clusters 3 --measure accuracy
cairn evaluate kmeans @iris --ignore species --clusters 3 --save k.cairn
cairn evaluate tree @iris --cluster-distance manhattan
cairn evaluate tree @iris --measure silhouette

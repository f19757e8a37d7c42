# SPDX-License-Identifier: MIT
# shape alone; beside a known labelling; held-out rows; a saved model; another distance
cairn evaluate --full kmeans @iris --ignore species --clusters 3
cairn evaluate --full kmeans @iris --target species --clusters 3 --by holdout:0.3
cairn fit kmeans @iris --target species --clusters 3 --save k.cairn --quiet > /dev/null
cairn evaluate --full k.cairn @iris --target species --cluster-distance manhattan \
    --measure silhouette,adjusted-rand
cairn evaluate --full kmeans @iris --ignore species --clusters 3 --measure rand
cairn evaluate --full kmeans @iris --ignore species --clusters 3 --measure accuracy
cairn evaluate --full kmeans @iris --ignore species --clusters 3 --save k.cairn
cairn evaluate --full tree @iris --cluster-distance manhattan
cairn evaluate --full tree @iris --measure silhouette

# SPDX-License-Identifier: MIT
# The cells of a model's centres, by the distance and in the space of the model.
two="--features petal_length,petal_width"
cairn fit kmeans @iris $two --clusters 4 --save means.cairn --quiet >/dev/null
cairn compute voronoi means.cairn
cairn fit kmedoids @iris $two --clusters 3 --distance manhattan --scale none --save medoids.cairn --quiet >/dev/null
cairn compute voronoi medoids.cairn | head -12
cairn fit nearest-exemplar @iris $two --target species --scale none --save exemplars.cairn --quiet >/dev/null
cairn compute voronoi exemplars.cairn | head -12
cairn draw voronoi exemplars.cairn --out cells.svg && grep -o '>virginica<' cells.svg
echo "== refused"
cairn fit dbscan @iris $two --save dense.cairn --quiet >/dev/null
cairn draw voronoi dense.cairn || echo $?
cairn fit kmeans @iris --ignore species --clusters 3 --save four.cairn --quiet >/dev/null
cairn draw voronoi four.cairn || echo $?
cairn draw voronoi means.cairn @iris || echo $?
cairn draw voronoi means.cairn --points '0,0;1,1' || echo $?

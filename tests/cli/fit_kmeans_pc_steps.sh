# SPDX-License-Identifier: MIT
# The principal component that the first centres come from, and the borders of clusters on a line.
cairn fit kmeans @kmeans-six --clusters 2 --init pc --steps --scale none | sed -n '/^Step 1/,/^Step 2/p'
cairn fit kmeans @five-values --clusters 2 --init first --scale none | grep boundary

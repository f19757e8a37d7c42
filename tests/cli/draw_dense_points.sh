# SPDX-License-Identifier: MIT
# Core, border and noise points of a model of dense regions.
cairn fit dbscan @kmeans-twelve --eps 5 --min-points 3 --scale none --save m.cairn --quiet
cairn draw dense-points m.cairn

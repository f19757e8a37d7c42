# SPDX-License-Identifier: MIT
cairn help kmeans >usual.txt
COLUMNS=40 cairn help kmeans >narrow.txt
COLUMNS=nonsense cairn help kmeans | cmp - usual.txt
[ "$(wc -l <narrow.txt)" -gt "$(wc -l <usual.txt)" ]

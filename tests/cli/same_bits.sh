# SPDX-License-Identifier: MIT
# the same bytes for any number of threads
for t in 1 2 4; do cairn evaluate majority @iris --threads $t --format json >$t.json; done
cmp 1.json 2.json && cmp 1.json 4.json
for t in 1 2 4; do cairn fit majority @iris --threads $t --save $t.cairn --quiet; done
cmp 1.cairn 2.cairn && cmp 1.cairn 4.cairn

# SPDX-License-Identifier: MIT
cairn evaluate --full majority @weather --by boot:3,urn=2 --steps | sed -n '/Rows of the splits/,$p'
cairn evaluate --full tree @iris --by holdout:0.3,repeats=20 --training yes --shares 0.1,0.5 --runs 5 |
    sed -n '/Distribution/,/^$/p;/Sizes of/,/^Each/p'
cairn fit tree @weather --save w.cairn --quiet >/dev/null
cairn evaluate --full w.cairn @weather --learning-curve 5

# SPDX-License-Identifier: MIT
# One tree for a number and a class, saved, read and judged.
cairn fit --full tree @iris --target petal_length,species --together --max-depth 2 --save t.cairn
cairn predict t.cairn @iris | sed -n '1p;2p;150p'
cairn fit --full tree @iris --target petal_length,species --together --prune mdl
printf 'x,t\n1,one two three\n2,four five six\n3,seven eight nine\n' > text.csv
cairn fit --full clustering-tree text.csv --target t --kinds t=text

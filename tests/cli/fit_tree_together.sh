# SPDX-License-Identifier: MIT
# One tree for a number and a class, saved, read and judged.
cairn fit tree @iris --target petal_length,species --together --max-depth 2 --save t.cairn
cairn predict t.cairn @iris | sed -n '1p;2p;150p'
cairn fit tree @iris --target petal_length,species --together --prune mdl

# SPDX-License-Identifier: MIT
cairn evaluate tree @iris --by cv:5 --measure f1,auc | sed -n '/^Measures/,/^Split/p'
cairn evaluate tree @iris --measure f1,mse
cairn evaluate tree @iris --measure f2
cairn evaluate tree @titanic --positive maybe
cairn evaluate tree @iris --folds 5
cairn evaluate tree @iris --depth 5 2>&1 >/dev/null
cairn tune tree @iris --random
cairn tune tree @iris --grid

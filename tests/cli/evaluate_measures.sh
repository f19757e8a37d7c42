# SPDX-License-Identifier: MIT
cairn evaluate --full tree @iris --by cv:5 --measure f1,auc | sed -n '/^Measures/,/^Split/p'
cairn evaluate --full tree @iris --measure f1,mse
cairn evaluate --full tree @iris --measure f2
cairn evaluate --full tree @titanic --positive maybe
cairn evaluate --full tree @iris --folds 5
cairn evaluate tree @iris --depth 5 2>&1 >/dev/null
cairn tune --full tree @iris --random
cairn tune --full tree @iris --grid

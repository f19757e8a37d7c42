# SPDX-License-Identifier: MIT
# Options that do nothing in this combination are refused with what would make them count.
cairn fit --full logistic @iris --solver newton --eta 3; echo "exit $?"
cairn fit --full logistic:eta=3 @iris; echo "exit $?"
cairn fit --full tree @iris --se 2; echo "exit $?"
cairn fit --full tree @iris --preset cart --se 2 --quiet --save m.cairn; echo "exit $?"
cairn fit --full tree @iris --prune cost-complexity --alpha 0.1 --prune-folds 5; echo "exit $?"
cairn fit --full knn @iris --width 2; echo "exit $?"
cairn compare --full majority knn:k=3,width=2 --on @iris; echo "exit $?"
cairn fit --full linear @quadratic --with basis:rbf,degree=3; echo "exit $?"
cairn evaluate --full tree @iris --by cv:5,shuffle=no,repeats=3; echo "exit $?"
cairn tune --full logistic @iris --over eta=0.1,0.2; echo "exit $?"
cairn tune --full logistic @iris --factor 2 --over solver=newton,cg; echo "exit $?"
cairn tune --full tree @weather --over prune=none,cost-complexity --over alpha=0.01,0.1 --by cv:2 --outer none | grep -A8 Trials

# SPDX-License-Identifier: MIT
cairn compare tree majority --on @iris --target petal_length,species || echo "exit $?"
cairn tune tree @iris --target petal_length,species --over max-depth=1:2 || echo "exit $?"
cairn tune tree @iris --label-mark ';' --over max-depth=1:2 || echo "exit $?"
cairn fit tree @iris --target petal_length,species --label-mark ';' || echo "exit $?"
cairn fit tree @iris --label-mark '' || echo "exit $?"
cairn fit linear @iris --target petal_length,species || echo "exit $?"
cairn fit tree @iris --target petal_length,species --positive setosa || echo "exit $?"
cairn evaluate tree @iris --label-mark ';' --shuffles 3 || echo "exit $?"
printf 'n,items\n1,a b\n2,a\n' > bag.csv
cairn tune tree bag.csv --kinds items=bag --target items --over max-depth=1:2 || echo "exit $?"
cairn fit tree @iris --target petal_length,species --save m.cairn --quiet
printf 'sepal_length,sepal_width,petal_width\n5,3,1\n' > new.csv
cairn evaluate m.cairn new.csv || echo "exit $?"
cairn compute roc m.cairn @iris || echo "exit $?"

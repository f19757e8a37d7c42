# SPDX-License-Identifier: MIT
cairn fit --full tree @iris --target petal_length,petal_width,species --max-depth 1 --save m.cairn | sed -n '1,22p;/On the training/,$p'
cairn predict m.cairn @iris --output label,scores --quiet | head -n 3
cairn evaluate --full m.cairn @iris | sed -n '/^All targets/,$p'
cairn evaluate --full tree @weather --target play,outlook --max-depth 1 --by loo --out all.csv | sed -n '/^All targets/,$p'
head -n 3 all.csv
cairn predict m.cairn @iris --explain --rows 1 --quiet | grep '^Target'
cairn fit linear @iris --target petal_length,petal_width --steps --format json | grep -E '^    "(petal_length|petal_width)\.(r2|mse)"' |
    sed -E 's/(\.[0-9]{10})[0-9]*/\1/'

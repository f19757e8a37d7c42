# SPDX-License-Identifier: MIT
# several labels in one cell of the target are counted one by one
printf 'length,genre\n90,drama;war\n100,war\n80,comedy; drama\n95,?\n85,drama\n' > films.csv
cairn describe films.csv --target genre --label-mark ';' --show columns | sed -n '/^Labels/,/^labels/p'
cairn describe films.csv --target genre,length --label-mark ';' 2>&1 || echo "exit $?"
cairn describe films.csv --label-mark ';' --target genre --format json --show columns | tr ',' '\n' | grep '"label.drama'

# SPDX-License-Identifier: MIT
# One slip among many numbers is told with its row; a column that is half numbers is not.
{ echo x,y; i=0; while [ $i -lt 200 ]; do [ $i = 120 ] && echo "12x,$i" || echo "$i,$i"; i=$((i+1)); done; } >t.csv
cairn describe t.csv --show columns
cairn describe t.csv --show columns --missing-mark 12x
{ echo x; i=0; while [ $i -lt 200 ]; do echo "$((i % 2))"; i=$((i+1)); done; echo maybe; } >u.csv
cairn describe u.csv --show columns
{ echo x; i=0; while [ $i -lt 50 ]; do echo "$i"; echo "n$i"; i=$((i+1)); done; } >v.csv
cairn describe v.csv --show columns

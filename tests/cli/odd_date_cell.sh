# SPDX-License-Identifier: MIT
# One bad date among many is told with its row and with what is wrong about it.
{ echo day,y; i=0; while [ $i -lt 400 ]; do
  [ $i = 300 ] && echo "2025-02-30,$i" || echo "2025-$((i % 12 + 1))-$((i % 28 + 1)),$i" |
    sed 's/-\([0-9]\)-/-0\1-/; s/-\([0-9]\),/-0\1,/'; i=$((i+1)); done; } >t.csv
cairn describe t.csv --show columns
cairn describe t.csv --show columns --missing-mark 2025-02-30
sed 's/\([0-9]*\)-\([0-9]*\)-\([0-9]*\),/\3.\2.\1,/' t.csv >u.csv
cairn describe u.csv --show columns --time-format %d.%m.%Y

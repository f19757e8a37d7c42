# SPDX-License-Identifier: MIT
# Columns of one name are numbered, each with a warning; the rest of many warnings is counted.
awk 'BEGIN { for (i = 0; i < 500; i++) printf "a%s", i < 499 ? "," : "\n"; for (i = 0; i < 500; i++) printf "1%s", i < 499 ? "," : "\n" }' >many.csv
cairn describe many.csv 2>&1 >/dev/null | sed -n '1,2p;$p'
cairn describe many.csv --format html 2>/dev/null | grep -c '<b>Warning</b>'
cairn describe many.csv --quiet 2>&1 >/dev/null | wc -l | tr -d ' '

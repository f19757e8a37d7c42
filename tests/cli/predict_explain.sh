# SPDX-License-Identifier: MIT
cairn fit tree @weather --save w.cairn --quiet >/dev/null
cairn predict w.cairn @weather --explain --rows 1 --quiet
cairn predict w.cairn @weather --explain --explain-by columns --rows 4 --quiet --threads 1 >one
cairn predict w.cairn @weather --explain --explain-by columns --rows 4 --quiet --threads 4 >four
cmp one four && tail -8 one
cairn fit linear @cars --save c.cairn --quiet >/dev/null
cairn predict c.cairn @cars --explain --rows 2 --out p.csv
wc -l <p.csv
cairn predict w.cairn @weather --rows 3
cairn predict w.cairn @weather --explain --rows 15 --quiet

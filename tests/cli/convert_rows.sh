# SPDX-License-Identifier: MIT
# Transforms that change rows change what is written, and a recipe leaves new rows alone.
printf 'x,c\n1,a\n2,?\n?,b\n' >t.csv
cairn convert t.csv - --to csv --with impute:method=delete --missing-mark '?'
cairn convert t.csv every.csv --with impute:method=every --missing-mark '?' --steps --save e.recipe --quiet
cairn convert t.csv - --to csv --recipe e.recipe --missing-mark '?'

# SPDX-License-Identifier: MIT
printf 'x,c\n1,a\n3,b\n' >t.csv
cairn convert t.csv - --to csv --with standardise --with indicators

# SPDX-License-Identifier: MIT
printf 'a,b\n1,\n3,4\n' >t.csv
cairn convert t.csv ./t.csv --with impute
cat t.csv

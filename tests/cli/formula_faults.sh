# SPDX-License-Identifier: MIT
printf 'x,y\n1,0\n2,1\n3,0\n' > t.csv; cairn convert t.csv - --to csv --with 'formula:ratio=x/y,big=ratio>1'

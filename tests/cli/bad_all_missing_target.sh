# SPDX-License-Identifier: MIT
printf 'a,y\n1,\n2,\n' >t.csv
cairn fit majority t.csv --target y

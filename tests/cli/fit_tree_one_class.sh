# SPDX-License-Identifier: MIT
printf 'a,y\n1,p\n2,p\n' >t.csv
cairn fit tree t.csv --target y

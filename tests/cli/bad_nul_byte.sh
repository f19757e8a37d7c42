# SPDX-License-Identifier: MIT
printf 'a,y\n1,p\n2,q\000r\n' >t.csv
cairn fit majority t.csv --target y

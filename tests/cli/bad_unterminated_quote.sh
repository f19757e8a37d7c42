# SPDX-License-Identifier: MIT
printf 'a,b,y\n1,"2,p\n3,4,q\n' >t.csv
cairn fit majority t.csv --target y

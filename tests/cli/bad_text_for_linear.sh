# SPDX-License-Identifier: MIT
printf 'y,x,name\n1,2,a b\n2,3,c d\n3,5,e f\n' >t.csv
cairn fit linear t.csv --target y --kinds name=text

# SPDX-License-Identifier: MIT
# a text column is left out with a warning; --strict refuses it, and so does a table of nothing else
printf 'y,x,name\n1,2,a b\n2,3,c d\n3,5,e f\n' >t.csv
cairn fit linear t.csv --target y --kinds name=text --save m.cairn >/dev/null
printf 'x,name\n4,no such words\n' | cairn predict m.cairn -
cairn fit linear t.csv --target y --kinds name=text --features name
cairn fit linear t.csv --target y --kinds name=text --strict

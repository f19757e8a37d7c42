# SPDX-License-Identifier: MIT
printf 'a,b,y\n1,x,p\n2,z,q\n3,x,p\n' >t.csv
cairn fit majority t.csv --target y --save m.cairn --quiet
printf 'a\n1\n' >u.csv
cairn predict m.cairn u.csv

# SPDX-License-Identifier: MIT
printf 'a,y\n1,p\nx,q\n' >t.csv
cairn fit majority t.csv --target y --kinds a=number

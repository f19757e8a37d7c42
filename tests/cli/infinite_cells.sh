# SPDX-License-Identifier: MIT
printf 'a,y\n1,p\ninf,q\n' >t.csv
cairn fit --full majority t.csv --target y --kinds a=number
printf 'a,y\n1,p\nnan,q\n' >u.csv
cairn describe --full u.csv --rows 0

# SPDX-License-Identifier: MIT
printf 'a,b,y\n1,,p\n2,,q\n3,,p\n' >t.csv
cairn fit tree t.csv --target y --format json | grep '"training.error"'

# SPDX-License-Identifier: MIT
printf 'x,y\n1,2.5\n2,3.5\n3,4.5\n' >t.csv
cairn fit --full majority t.csv --target y

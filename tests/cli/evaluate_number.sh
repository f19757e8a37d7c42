# SPDX-License-Identifier: MIT
printf 'x,y\n1,2.5\n2,3.5\n3,4.5\n4,1.25\n' >t.csv
cairn evaluate majority t.csv --target y --by loo --format json | grep '^ *"rmse"' | cut -c 1-20

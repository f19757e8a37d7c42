# SPDX-License-Identifier: MIT
printf 'x,y\n1,a\n2,b\n' >t.csv
cairn describe --full --transpose --no-transpose --rows=1 t.csv | tail -n 4

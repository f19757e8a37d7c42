# SPDX-License-Identifier: MIT
printf 'x,y\n-1,a\n-9,b\n2,b\n' >t.csv
cairn describe --full t.csv --missing-mark -9 --rows 0

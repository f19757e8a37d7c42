# SPDX-License-Identifier: MIT
printf 'x,y\n1,a\n2,b\n' >--odd.csv
cairn describe --full --rows 1 -- --odd.csv | head -n 3

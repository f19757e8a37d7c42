# SPDX-License-Identifier: MIT
printf 'a,y\n' >t.csv
cairn fit majority t.csv --target y --header yes

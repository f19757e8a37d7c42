# SPDX-License-Identifier: MIT
printf 'a,b\n1,2\n' >t.csv
cairn predict t.csv t.csv

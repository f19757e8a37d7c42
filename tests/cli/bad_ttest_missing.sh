# SPDX-License-Identifier: MIT
printf 'a,b\n1,2\n3,?\n' >t.csv; cairn compute t-test t.csv

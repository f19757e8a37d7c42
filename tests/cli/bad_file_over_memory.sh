# SPDX-License-Identifier: MIT
awk 'BEGIN { print "a,b,c,d"; for (i = 0; i < 60000; i++) print i ".25," i * 2 "," i * 3 "," i % 7 }' >t.csv
cairn describe t.csv --memory 200K

# SPDX-License-Identifier: MIT
# a row whose numbers overflow in the program is no mistake of the program
printf 'a,b,c\n1,1,x\n2,1,x\n1,2,x\n7,8,y\n8,7,y\n8,8,y\n' >data.csv
printf 'a,b,c\n1,1,x\n1e300,1,x\n' >far.csv
cairn fit gaussian data.csv --target c --save m.cairn --quiet
cairn export m.cairn --to c --rows far.csv

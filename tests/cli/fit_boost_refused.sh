# SPDX-License-Identifier: MIT
# What boosting refuses names the place and the remedy.
printf 'x,c,y,k\n1,a,1,p\n2,b,-3,q\n3,a,2,p\n4,c,5,q\n' > t.csv
cairn fit boost t.csv --target y --loss poisson
cairn fit boost t.csv --target y --monotone +c
cairn fit boost t.csv --target y --monotone +x --loss absolute
cairn fit boost t.csv --target y --monotone x
cairn fit boost t.csv --target k --loss squared
cairn fit boost t.csv --target y --class-weight balanced
cairn fit boost t.csv --target k --class-weight 1,2,3
cairn fit boost t.csv --target y --patience 3
cairn fit boost t.csv --target y --hold-out 0.0001
cairn fit boost t.csv --target y --level 0.5
cairn fit boost t.csv --target y --eta 2

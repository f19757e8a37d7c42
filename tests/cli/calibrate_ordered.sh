# SPDX-License-Identifier: MIT
# Ordered levels as a ranker: plateaus over the order of the levels.
printf 'size,y\nsmall,no\nsmall,no\nmedium,yes\nmedium,no\nlarge,yes\nlarge,no\nlarge,no\nhuge,yes\nhuge,yes\n,no\n' >t.csv
K='--kinds size=ordered(small,medium,large,huge)'
cairn convert t.csv - --to csv --target y $K --with calibrate:isotonic,missing=prior
cairn fit --full majority t.csv --target y $K --with calibrate:isotonic --save t.model | sed -n '/Transform 1/,/becomes/p'
cairn convert t.csv - --to csv --recipe t.model | head -3
cairn convert t.csv - --to csv --target y --with calibrate:isotonic,columns=size

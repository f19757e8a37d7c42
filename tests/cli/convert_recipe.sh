# SPDX-License-Identifier: MIT
printf 'x,c,y\n1,a,no\n,b,yes\n5,b,no\n' >train.csv
printf 'c,x\nb,9\nz,\n' >new.csv
cairn convert train.csv ready.csv --target y --with impute --with scale:method=range --with indicators --save r.recipe --quiet
cat ready.csv
cairn convert new.csv - --to csv --recipe r.recipe
cairn describe --full r.recipe | sed -n '1,12p'
cairn predict r.recipe new.csv
cairn convert new.csv out.csv --recipe r.recipe --with scale
cairn convert new.csv out.csv --save r2.recipe
cairn convert train.csv - --to csv --with impute --steps
true

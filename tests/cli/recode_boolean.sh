# SPDX-License-Identifier: MIT
printf 'size,n,colour,y\nsmall,1,red,no\nmedium,2,blue,no\nlarge,3,red,yes\nhuge,4,green,yes\nsmall,9,red,no\n' >t.csv
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
K='--kinds size=ordered(small,medium,large,huge)'
said convert t.csv - --to csv --target y $K --with recode:to=boolean
said convert t.csv - --to csv $K --ignore y --with recode:to=boolean
said convert t.csv - --to csv $K --with bins:method=median,columns=size
said convert t.csv - --to csv $K --with bins:method=mean,columns=size
said convert t.csv - --to csv $K --with recode:to=boolean,by=order
said convert t.csv - --to csv --with recode:to=ordinal,columns=n,by=order
said convert t.csv - --to csv --ignore n,y,colour $K --with recode:to=ordinal

# SPDX-License-Identifier: MIT
# A list in a spec goes on until the next name=value.
printf 'a,b,c\n40,50,60\n50,50,50\n70,70,70\n71,70,70\n' >t.csv
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said convert t.csv - --to csv --with 'bins:mean-of=a,b,c,cuts=<50,<=70,labels=I,II,III'
said convert t.csv - --to csv --with 'bins:columns=a,b,cuts=50,70,keep=yes'
said convert t.csv - --to csv --with keep:a,c
said convert t.csv - --to csv --with rename:a=A,b=B
said convert t.csv - --to csv --with 'rename:(a=A,b=B)'
said convert t.csv - --to csv --with rename:z=A
said convert t.csv - --to csv --with scale:z,70
said convert t.csv - --to csv --with bins:method=foo
said convert t.csv - --to csv --with bins:bins=0

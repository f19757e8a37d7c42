# SPDX-License-Identifier: MIT
# A picture of a model of several targets says which one it shows, and another one can be chosen.
printf 'x,y,a,b\n1,1,p,u\n2,1,q,u\n1,2,p,v\n2,2,q,v\n1,3,p,v\n2,3,q,v\n1,0,p,u\n2,0,q,u\n' > two.csv
cairn fit tree two.csv --target a,b --min-leaf 1 --save two.model --quiet > out.txt
cairn draw regions two.model two.csv --out a.svg
cairn draw regions two.model two.csv --target b --out b.svg
grep -o '>[pquv]<' a.svg | sort -u
grep -o '>[pquv]<' b.svg | sort -u
cairn draw regions two.model two.csv --target y --out c.svg || echo "exit $?"
cairn draw tree two.model --target b --format markdown | grep -c .

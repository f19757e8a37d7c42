# SPDX-License-Identifier: MIT
printf 'a,b,y\n1,5,1\n2,3,3\n3,4,2\n4,1,5\n5,2,4\n' >t.csv
cairn convert t.csv - --to csv --with pca:columns=a,columns=b
cairn fit linear t.csv --target y --features a --features b --format json | grep -o '"features": [0-9]*\|coefficient.[ab]'
cairn fit linear t.csv --target y --where 'a>1' --where 'b>1'
cairn convert t.csv - --to csv --with scale:factor=2,factor=3

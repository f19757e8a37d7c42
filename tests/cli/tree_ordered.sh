# SPDX-License-Identifier: MIT
# Ordered levels are cut like numbers; --with unorder gives a branch per level.
printf 'size,colour,y\nsmall,red,no\nmedium,blue,no\nlarge,red,yes\nhuge,blue,yes\nsmall,blue,no\nlarge,,yes\n' >t.csv
printf 'size,colour\nmedium,red\nhuge,red\n,blue\n' >new.csv
cairn fit --full tree t.csv --target y --kinds 'size=ordered(small,medium,large,huge)' --steps --save t.model | sed -n '/^Cuts/,$p'
cairn predict t.model new.csv --output path
cairn fit tree t.csv --target y --kinds 'size=ordered(small,medium,large,huge)' --cut lt --format json | grep -o 'size[^"]*"' | sort -u
cairn fit tree t.csv --target y --kinds 'size=ordered(small,medium,large,huge)' --with unorder --format json | grep -c '"tree.nodes": 5'
cairn export t.model --to json | grep -o '"cuts": [^]]*]'
cairn export t.model --to text >t.txt
cairn fit --full tree t.csv --target y --kinds 'size=ordered(small,medium,large,huge)' --given t.txt | grep '[├└]'

# SPDX-License-Identifier: MIT
# Group d has no row with a target: it is neither a split of its own nor drawn.
printf 'g,x,y\na,1,p\na,2,q\nb,3,p\nb,4,q\nc,5,p\nc,6,q\nd,1,\nd,1,\n' >g.csv
cairn evaluate --full majority g.csv --target y --group g --by loo --quiet | sed -n '/^Split by/,/^$/p'
cairn evaluate --full majority g.csv --target y --group g --by boot:200 --quiet | grep 'by:'
cairn evaluate --full majority g.csv --target y --group g --by boot:5,stratified=yes
echo $?

# SPDX-License-Identifier: MIT
# Memberships of a model, of labels, of exemplars, of columns; as predictors; what is refused.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
printf 'x,y,t,g\n0,0,1,a\n1,0,2,a\n4,4,9,b\n5,4,8,b\n2,2,5,\n' >five.csv
said compute memberships five.csv --features x,y --exemplars '0,0;near=4,4' --soft bell --width 2 --steps
said compute memberships five.csv --features x,y --clusters g --target t
said compute memberships five.csv --features x,y --partition '1,2,5;3,4' --target t --soft fuzzy --fuzzifier 3 | sed -n '/predictor/,$p'
said fit kmeans five.csv --features x,y --clusters 2 --scale none --save m.cairn --quiet
said compute memberships m.cairn five.csv --soft model --target g --out soft.csv | sed -n '/predictor/,$p'
cat soft.csv
said compute memberships soft.csv --degrees 'p(1),p(2)' | sed -n '/^Memberships$/,/^$/p'
printf 'a,b\n0.5,0.6\n0.5,0.5\n' >off.csv
said compute memberships off.csv --degrees a,b
said compute memberships off.csv --degrees a,b --normalise | sed -n '/^Memberships$/,/^$/p'
printf 'a,b\n-0.5,1.5\n' >below.csv
said compute memberships below.csv --degrees a,b
said compute memberships five.csv --features x,y --exemplars 1,2,3
said compute memberships five.csv --features x,y
said compute memberships five.csv --features x,y --clusters g --soft model
said compute memberships five.csv --degrees g,x

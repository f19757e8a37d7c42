# SPDX-License-Identifier: MIT
# Scatter within and between clusters of a column, typed, of a model; with weights; what is refused.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
printf 'x,y,w,g\n0,3,1,a\n3,3,2,a\n3,0,1,b\n-2,-4,1,b\n-4,-2,3,\n' > five.csv
said compute scatter five.csv --ignore w,g --partition '1,2;3-5' --steps
said compute scatter five.csv --weight w --clusters g --penalty 2
said compute scatter five.csv --ignore w,g --labels b,b,b,a,a --format json | grep -E '"(within|between|cluster.a.mean.x|explained)"'
cairn fit kmeans five.csv --ignore w,g --clusters 2 --scale none --save m.cairn --quiet > fit.txt
said compute scatter m.cairn five.csv --format json | grep -E '"(by|within|between)"'
grep 'within sum of squares:' fit.txt
said compute scatter five.csv --ignore w,g
said compute scatter five.csv --ignore w,g --partition '1,2;2-5'
said compute scatter five.csv --ignore w,g --partition '1,2;3-9'
said compute scatter five.csv --ignore w,g --labels a,b
said compute scatter five.csv --ignore w,g --labels a,b --partition '1,2'
said compute scatter five.csv --clusters h
said compute scatter m.cairn
printf 'x,g\n1e200,a\n-1e200,a\n' > huge.csv
said compute scatter huge.csv --clusters g
printf 'x,g\n1,a\n,a\n' > gap.csv
said compute scatter gap.csv --clusters g

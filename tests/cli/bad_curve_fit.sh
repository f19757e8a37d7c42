# SPDX-License-Identifier: MIT
# Curves that the points cannot have.
printf 'x,y\n0,1\n1,2\n2,4\n' >points.csv
cairn compute curve-fit points.csv --target y --log
cairn compute curve-fit points.csv --target y --segments 4
cairn compute curve-fit points.csv --target y --degrees 1.5
cairn compute curve-fit points.csv --target y --degrees ''
cairn compute curve-fit points.csv --move 9:out --target y
cairn compute curve-fit points.csv --with standardise --target y
printf 'x,y\n1,1e300\n2,-2e300\n5,3e299\n' >huge.csv
cairn compute curve-fit huge.csv --target y --degrees 1
printf 'x,y\n1e300,1\n-1e300,2\n5,3\n' >far.csv
cairn compute curve-fit far.csv --target y --degrees 5

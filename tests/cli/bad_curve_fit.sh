# SPDX-License-Identifier: MIT
# Curves that the points cannot have.
printf 'x,y\n0,1\n1,2\n2,4\n' >points.csv
cairn compute curve-fit points.csv --target y --log
cairn compute curve-fit points.csv --target y --segments 4
cairn compute curve-fit points.csv --target y --degrees 1.5
cairn compute curve-fit points.csv --target y --degrees ''
cairn compute curve-fit points.csv --move 9:out --target y
cairn compute curve-fit points.csv --with standardise --target y

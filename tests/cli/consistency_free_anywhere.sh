# SPDX-License-Identifier: MIT
# A free parameter may stand anywhere in a comparison that is a straight line in it: 3 w > 5 of two
# rows and w > 5 of the others give 5/3 < w <= 5. What cannot be decided is refused with a reason.
printf 'x1,x2,c\n1,2,yes\n2,1,yes\n0,1,no\n1,0,no\n' >rows.csv
check() { cairn compute consistency rows.csv --target c --positive yes "$@"; }
check --free w --rule 'w*x1 + w*x2 > 5' --predict 4,4 --steps
check --free w --rule '3 - w*x1 < 2 and x2 >= 1'
check --free w --rule '0.5 <= -w*(x1 - 1)'
check --free w,v --rule 'x1*w > 1 or x2 > v'
check --free w --rule 'w*w*x1 > 2'
check --free w,v --rule 'x1*w > v'
cairn compute kernel --x 1,2 --y 2,-1 --kernel sigmoid --offset -4.99999999999
true

# SPDX-License-Identifier: MIT
# Rows of a level and the other rows add up, also where parts are judged by linear models.
printf 'c,x,y\na,1,1\na,2,2\na,3,3\na,4,4\nb,1,9\nb,2,8\nb,3,7\nb,4,6\nd,1,5\nd,2,5.5\nd,3,5\nd,4,5.5\n' > t.csv
cairn fit tree t.csv --target y --task regress --leaf linear --leaf-search residuals --split binary --leaf-rows 4 --max-depth 1 --steps |
    grep -A6 'Each level'

# SPDX-License-Identifier: MIT
# words of books for kinds; vectors beside conditions; weights of classes by number; a least variance
cairn describe --full @weather --kinds 'temperature=ordinal(cool,mild,hot),wind=boolean,outlook=categorical(rain,sunny,overcast)' | sed -n '/^Columns/,/^$/p'
cairn describe --full @weather --kinds 'temperature=ordinal' 2>&1 || echo "exit $?"
cairn compute generality @weather --hypothesis '(?, hot|mild, high, ?)' --hypothesis '(?, hot, high, ?)' --hypothesis 'humidity = "high"'
cairn compute generality @weather --hypothesis '(?, hot)' --hypothesis '(?, hot, high, ?)' 2>&1 || echo "exit $?"
cairn compute generality @weather --hypothesis '(?, warm, ?, ?)' --hypothesis '(?, hot, high, ?)' 2>&1 || echo "exit $?"
# 14 / (2 · 5) and 14 / (2 · 9): what balanced makes of five and nine rows
cairn fit forest @weather --trees 20 --class-weight balanced --save balanced.model > /dev/null
cairn fit forest @weather --trees 20 --class-weight 1.4,0.77777777777777779 --save given.model > /dev/null
cairn predict balanced.model @weather > balanced.csv
cairn predict given.model @weather > given.csv
cmp balanced.csv given.csv && echo "the same answers"
cairn fit --full forest @weather --class-weight 1,5,2 2>&1 || echo "exit $?"
cairn fit --full forest @weather --class-weight heavy 2>&1 || echo "exit $?"
# the five numbers have the variance 0.9194
cairn fit --full tree @regression-line --size full --min-variance 0.92 | grep '^leaves'
cairn fit --full tree @regression-line --size full --min-variance 0.919 --max-depth 1 | grep '^leaves'
cairn fit --full tree @weather --min-variance 1 2>&1 || echo "exit $?"
# the matrices of many features are shown in part
awk 'BEGIN { for (j = 1; j <= 14; j++) printf "x%d,", j; print "y"; for (i = 1; i <= 20; i++) { for (j = 1; j <= 14; j++) printf "%d,", (i * j * j + i * i) % 17; print i } }' > wide.csv
cairn fit --full linear wide.csv --target y --steps | grep -c 'Of the 15 columns of X the matrices show the first 12'
awk -F, 'NR > 1 { s += $1 * $2 } END { print "sum of x1 x2: " s }' wide.csv
cairn fit linear wide.csv --target y --steps --format json | tr ',' '\n' | grep '"xtx.1.2"'

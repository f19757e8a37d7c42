# SPDX-License-Identifier: MIT
# a row is moved or left out: the line before and after
cairn fit --full linear @regression-line --move 5:5,10 | sed -n '/^With row/,/^R²/p'
cairn fit --full linear @regression-line --move 5:out | sed -n '/^Without row/,/^R²/p'
for bad in 6:out 0:out 5 5: 5:3 5:a,b; do cairn fit linear @regression-line --move "$bad" 2>&1 > /dev/null || echo "exit $?"; done
cairn fit linear @iris --target sepal_length --move 5:out 2>&1 > /dev/null || echo "exit $?"

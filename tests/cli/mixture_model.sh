# SPDX-License-Identifier: MIT
# What a mixture is good for beside clusters: rows drawn from it, pictures, columns that depend on each other.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
cairn fit mixture @iris --features petal_length,petal_width --components 3 --save two.cairn --quiet > /dev/null
cairn fit mixture @mixture --save one.cairn --quiet > /dev/null
said compute sample two.cairn --rows 3
said draw contours two.cairn
said draw contours one.cairn
said draw memberships two.cairn @iris --soft model --out soft.svg
cairn fit mixture @iris --ignore species --components 3 --save four.cairn --quiet > /dev/null
said draw contours four.cairn
for i in 1 2 3 4 5 6 7 8 9; do echo "$i,$((i * i % 5)),$((i + i * i % 5))"; done | sed '1i a,b,sum' > sum.csv
cairn fit --full mixture sum.csv --components 1 | grep -A 3 '^Note: [IT]'

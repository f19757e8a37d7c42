# SPDX-License-Identifier: MIT
# A linear model written down in every form, read again, and weights of one's own.
cairn fit --full linear @regression-line --save line.cairn --quiet >out.txt
cairn export line.cairn --to text
cairn export line.cairn --to formula
cairn export line.cairn --to table
cairn export line.cairn --to text --out line.txt
cairn fit --full linear @regression-line --given line.txt --save again.cairn --quiet >out.txt
cairn predict again.cairn @regression-line
printf 'intercept = 1\nx = 0.5\n' >own.txt
cairn fit --full linear @regression-line --given own.txt | sed -n '/^Linear/,/^rows/p'
cairn fit --full ridge @regression-line --lambda 1 --save ridge.cairn --quiet >out.txt
cairn export ridge.cairn --to formula
cairn export ridge.cairn --to table
printf 'intercept = 1\nz = 0.5\n' >wrong.txt
cairn fit --full linear @regression-line --given wrong.txt || echo "exit $?"

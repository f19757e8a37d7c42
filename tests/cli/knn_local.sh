# SPDX-License-Identifier: MIT
# a line through the neighbours, and how its answers are told
cairn fit knn @squares --scale none --target t --k 3 --local line --weights kernel --save m.cairn --quiet
printf 'x\n3.4\n100\n' >q.csv
cairn predict m.cairn q.csv --output label,neighbours,distances --format text | sed -n '/row .*t/,$p'
cairn predict m.cairn q.csv --explain --rows 1 | sed -n '/^Training rows/,$p'

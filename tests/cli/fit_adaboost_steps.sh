# SPDX-License-Identifier: MIT
# Every column of the table of rows has a heading.
cairn fit adaboost @weather --rounds 1 --steps | sed -n '/^Rows$/,/^$/p'

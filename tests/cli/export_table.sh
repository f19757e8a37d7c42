# SPDX-License-Identifier: MIT
# What a model learned as a table: to standard output, to a file of another format, and refused.
cairn fit tree @weather --save tree.cairn --quiet > fit.txt
cairn export tree.cairn --table nodes
cairn describe tree.cairn --format json | grep '"model.tables"'
cairn fit linear @iris --target petal_width --features petal_length --save line.cairn --quiet > fit.txt
cairn export line.cairn --table coefficients --out line.tsv
cat line.tsv
cairn fit bagging @weather --members 2 --save bag.cairn --quiet > fit.txt
cairn export bag.cairn --table members
cairn export bag.cairn --table members.nodes --out - | head -3
cairn export tree.cairn --table leaves
cairn export tree.cairn --table nodes --to text

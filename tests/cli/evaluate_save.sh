# SPDX-License-Identifier: MIT
# a model of all rows that carries the estimate
cairn evaluate tree @iris --by cv:5 --save tree.cairn --quiet
cairn describe tree.cairn | grep -A 1 estimated
cairn describe tree.cairn --format json | grep '"model.estimate'
cairn predict tree.cairn @iris --quiet | head -n 2
cairn evaluate tree.cairn @iris --save again.cairn
cairn evaluate tree @iris --save -

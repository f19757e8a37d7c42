# SPDX-License-Identifier: MIT
# ordered levels are cut by their places, in memory and from a file
cairn evaluate --full forest @titanic --trees 10 --by cv:2 --quiet | grep '^accuracy:'
cairn fit --full forest @titanic --trees 10 --save forest.cairn --quiet
cairn evaluate --full forest.cairn @titanic --quiet | grep '^accuracy:'

# SPDX-License-Identifier: MIT
# A chosen order of columns: the rows of every node and the tree after every split.
cairn fit --full tree @weather --column-order outlook,humidity --steps | sed -n '/^Step/,/^nodes/p'
# The tree before and after pruning, and what was compared.
cairn fit --full tree @weather --prune rep-bottomup --prune-rows 1-3,6,14 --steps | sed -n '/before pruning/,/^Use/p'

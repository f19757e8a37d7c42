# SPDX-License-Identifier: MIT
# The steps explain the tree that is printed, node by node, and no other.
cairn fit --full tree @iris --max-leaves 3 --steps | grep -E '^Step |^because|─ [≤>]|^nodes|^leaves'

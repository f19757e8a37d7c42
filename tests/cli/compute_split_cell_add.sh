# SPDX-License-Identifier: MIT
# All numbers come from the same cells.
cairn compute split --table "3,1;1,3" --cell-add 1 | grep -E "added|information gain|mutual|average entropy|^rows"

# SPDX-License-Identifier: MIT
cairn help cn2 | head -n 7
cairn list candidate elimination | head -n 8
cairn help apriori --format json | grep '"found\.[1c]'
cairn help overfitting | head -n 8
cairn help whisker_low
cairn help qqqqqqqq
exit 0

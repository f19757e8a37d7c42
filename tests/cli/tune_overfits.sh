# SPDX-License-Identifier: MIT
cairn tune --full tree @iris --over max-depth=1,2,3,5,8 --outer none | sed -n '/overfits/,$p'

# SPDX-License-Identifier: MIT
cairn tune --full tree @iris --over max-depth=1:4 --outer none --steps --choose one-se | sed -n '/^Step 1/,$p'
cairn compare --full tree majority --on @weather --by cv:4 --steps | sed -n '/^The work/,/^Note/p' | sed '/^ROC/,$d'
cairn evaluate tree @weather --by cv:4 --steps --format json | grep -E '^    "steps'

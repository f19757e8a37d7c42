# SPDX-License-Identifier: MIT
cairn compute t-test --differences 0.1,-0.2,0.3,0.05 --steps
cairn compute wilcoxon --differences 1,-2,3,4,-5,6 --steps
cairn compute friedman @cv-accuracies --steps | sed -n '/^Step 1/,/^Which/p'
cairn compute mcnemar --first-only 3 --second-only 1 --steps
cairn compute proportion --successes 3 --n 10 --second 1 --second-n 24 --steps
cairn compute proportion --successes 3 --n 6 --against 0.25 --steps

# SPDX-License-Identifier: MIT
# Two rounds for two classes: residuals, trees over levels, leaves by Newton's method, new sums.
cairn fit boost @weather --target play --rounds 2 --max-leaves 3 --min-leaf 2 --level-smoothing 0 --steps |
    sed -n '/^Steps/,/^The boosted trees/p'

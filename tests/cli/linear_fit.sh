# SPDX-License-Identifier: MIT
cairn fit --full linear @insurance | sed -n '1,/^intercept/p'

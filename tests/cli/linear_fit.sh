# SPDX-License-Identifier: MIT
cairn fit linear @insurance | sed -n '1,/^intercept/p'

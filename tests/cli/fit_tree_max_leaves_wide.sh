# SPDX-License-Identifier: MIT
# A split with a branch per level is made whole or not at all; the rest is said.
cairn fit tree @restaurant --max-leaves 6 2>&1 >/dev/null

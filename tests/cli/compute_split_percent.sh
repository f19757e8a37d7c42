# SPDX-License-Identifier: MIT
# Contributions in per cent, and the p of chi-squared.
cairn compute split --table '20,5;5,20' | grep -E -A6 'per cent|p of chi'

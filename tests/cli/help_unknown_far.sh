# SPDX-License-Identifier: MIT
cairn help qqqqqqqq

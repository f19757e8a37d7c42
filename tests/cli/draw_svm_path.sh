# SPDX-License-Identifier: MIT
# The margin of a soft-margin classifier against the cost of errors: 1.25 at C = 0.4.
cairn draw svm-path @margin-four --curve margin

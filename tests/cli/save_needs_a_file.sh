# SPDX-License-Identifier: MIT
cairn fit majority no-such.csv --save -

# SPDX-License-Identifier: MIT
cairn describe no-such.csv --input-format csvv

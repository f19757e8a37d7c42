# SPDX-License-Identifier: MIT
cairn describe no-such.csv --separator ab

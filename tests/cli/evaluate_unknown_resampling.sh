# SPDX-License-Identifier: MIT
cairn evaluate majority no-such.csv --by cvv:3

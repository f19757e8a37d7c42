# SPDX-License-Identifier: MIT
cairn fit tree no-such.csv --max-depth -3

# SPDX-License-Identifier: MIT
cairn fit tree no-such.csv --max-deth 3

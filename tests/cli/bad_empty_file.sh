# SPDX-License-Identifier: MIT
: >t.csv
cairn fit majority t.csv --target y

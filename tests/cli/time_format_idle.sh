# SPDX-License-Identifier: MIT
# A pattern that fits no column is told, and which one would fit.
printf 'd,x\n13/02/2026,1\n14/02/2026,2\n28/02/2026,3\n' >t.csv
cairn describe t.csv --show columns --time-format %m/%d/%Y
cairn describe t.csv --show columns --time-format %d/%m/%Y
cairn describe t.csv --show columns --time-format %d/%m/%Y --kinds d=time

# SPDX-License-Identifier: MIT
# A mark that is given counts beside the usual ones; --only-marks leaves these out.
{ echo a,b; i=0; while [ $i -lt 200 ]; do echo "$i,$i"; i=$((i+1)); done; echo n.a.,NA; } >t.csv
cairn describe t.csv --show columns
cairn describe t.csv --show columns --missing-mark n.a.
cairn describe t.csv --show columns --missing-mark n.a. --only-marks

# SPDX-License-Identifier: MIT
cairn fit majority @weather --out fitted.csv --quiet
head -n 3 fitted.csv

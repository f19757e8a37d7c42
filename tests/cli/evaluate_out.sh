# SPDX-License-Identifier: MIT
cairn evaluate majority @weather --by cv:2 --out rows.csv --quiet
head -n 2 rows.csv

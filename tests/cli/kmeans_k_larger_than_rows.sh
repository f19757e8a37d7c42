# SPDX-License-Identifier: MIT
printf 'a,b\n1,2\n3,4\n' >t.csv
cairn fit kmeans t.csv --clusters 5

# SPDX-License-Identifier: MIT
printf 'a,y\n1,no\n' >t.csv
cairn fit --full majority t.csv --target y | grep -E 'experience|stored'

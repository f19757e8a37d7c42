# SPDX-License-Identifier: MIT
printf 'a,b\n1,2\n' >t.csv
cairn convert t.csv 'sqlite:t.db?table=t' --quiet
cairn describe t.db

# SPDX-License-Identifier: MIT
cairn compute weights @market-towns-partial
printf 'name,w,s\na,2,3\nb,-1,0.5\n' >t.csv
cairn compute weights t.csv --weight w --sd s | grep '^[ab] '

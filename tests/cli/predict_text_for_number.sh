# SPDX-License-Identifier: MIT
printf 'a,y\n1,2\n2,3\n3,5\n' >train.csv
printf 'a\n1\nmany\n' >test.csv
cairn fit linear train.csv --target y --save m.cairn --quiet
cairn predict m.cairn test.csv; echo $?
cairn fit linear @iris --target species --task regress; echo $?

# SPDX-License-Identifier: MIT
printf 'a,y\n1,no\n2,no\n3,yes\n' >train.csv
printf 'a,y\n1,no\n2,maybe\n3,\n4,no\n' >test.csv
cairn fit majority train.csv --target y --save m.cairn --quiet
cairn predict m.cairn test.csv

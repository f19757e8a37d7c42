# SPDX-License-Identifier: MIT
# Marks of missing cells and the decimal mark are those of the training file unless others are given.
printf 'x,y\n-999,a\n1,a\n2,a\n8,b\n9,b\n-999,b\n7,b\n1,a\n' >t.csv
printf 'x\n-999\n1\n' >n.csv
cairn fit bayes t.csv --target y --missing-mark=-999 --save m.cairn --quiet >/dev/null
cairn predict m.cairn n.csv --output scores --quiet
cairn predict m.cairn n.csv --output scores --quiet --missing-mark none | head -2 | cut -c1-5
cairn describe --full m.cairn | grep 'missing cells'
printf 'land;y\nNA;a\nDE;b\nNA;a\nDE;b\n' >l.csv
cairn fit bayes l.csv --target y --only-marks --smooth laplace --save l.cairn --quiet >/dev/null
cairn predict l.cairn l.csv
cairn describe --full l.cairn | grep 'missing cells'
printf 'x;y\n1,5;1\n2,5;2\n3,5;3\n4,5;4\n' >d.csv
cairn fit linear d.csv --target y --decimal , --save d.cairn --quiet >/dev/null
cairn predict d.cairn d.csv

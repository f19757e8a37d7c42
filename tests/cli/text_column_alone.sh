# SPDX-License-Identifier: MIT
# The words of a text column are learned from where it is the only column and holds sentences, and a
# line says so; codes are no sentences, --strict and another column leave the decision to the user.
say() { echo "> $*"; cairn "$@" 2>&1 || echo "exit $?"; }
{ echo 'message,kind'
for i in 1 2 3 4 5 6; do
    echo "win a free prize number $i today,spam"
    echo "see you at home after lunch $i,ham"
done; } >mail.csv
say evaluate bayes mail.csv --kinds message=text --target kind --by cv:3 | head -n 6
say fit bayes mail.csv --kinds message=text --target kind --save m.cairn --quiet | head -n 1
printf 'message\n"a free prize, today"\n"lunch at home, you see"\n' >new.csv
cairn predict m.cairn new.csv
say fit bayes mail.csv --kinds message=text --target kind --strict
printf 'code,kind\nab-1 x,a\ncd-2 y,b\nef-3 z,a\ngh-4 x,b\n' >codes.csv
say fit bayes codes.csv --kinds code=text --target kind
{ echo 'message,length,kind'; sed 1d mail.csv | sed 's/,/,7,/'; } >two.csv
say fit bayes two.csv --kinds message=text --target kind | head -n 2

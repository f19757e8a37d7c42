# SPDX-License-Identifier: MIT
# Columns and levels that are spelt a little otherwise are named.
printf 'Sex,Embarked,Fare,y\nmale,S,1,a\nfemale,C,2,b\nmale,S,3,a\nfemale,C,4,b\n' >t.csv
cairn fit tree t.csv --target y --save m.cairn --quiet >/dev/null
printf 'Sex,embarked,FARE\nmale,S,1\n' >n.csv
cairn predict m.cairn n.csv || echo "exit $?"
printf 'Sex,Embarked,Fare\nMale,S,1\n' >l.csv
cairn predict m.cairn l.csv
printf 'Sex,Embarked,Fare\nMALE,S,1\nother,S,1\n' >l.csv
cairn predict m.cairn l.csv

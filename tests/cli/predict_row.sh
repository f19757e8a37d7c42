# SPDX-License-Identifier: MIT
# A typed row: answered, explained, several of them, and what is refused.
cairn fit tree @titanic --save t.cairn --quiet >/dev/null
cairn predict t.cairn --row 'age=30,sex=male'
cairn predict t.cairn --row 'age=30, sex=male' --row 'sex=female, pclass=1, fare=80' --output all
printf 'sex,pclass,age,sibsp,parch,fare,embarked\nfemale,1,,,,80,\n' >one.csv
cairn predict t.cairn one.csv --output all | tail -n 1
cairn predict t.cairn --row 'age=8,sex=male,sibsp=1,fare=15' --explain | sed -n '1,/^The row/p'
cairn predict t.cairn --row 'sex=male' --format json | grep survived
cairn fit bayes @weather --save w.cairn --quiet >/dev/null
cairn predict w.cairn --row 'outlook="sunny",temperature=cool,humidity=high,wind=strong' --output probabilities
for wrong in 'agee=30' 'age' 'age=x' 'age=1,age=2' 'sex=man'; do cairn predict t.cairn --row "$wrong" --quiet; echo "exit $?"; done
cairn predict t.cairn; echo "exit $?"
cairn predict t.cairn @titanic --row 'age=30'; echo "exit $?"

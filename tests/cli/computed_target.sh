# SPDX-License-Identifier: MIT
# A target that is computed: learned, judged, split by; what it is made of is told unless it is left out.
adult='adult = age >= 18'
cairn fit tree @titanic --target "$adult" --ignore age --max-depth 2 --save a.cairn --full | grep -E '^target|^share'
cairn evaluate tree @titanic --target "$adult" --ignore age --by cv:3 --full | grep -E '^accuracy'
cairn convert @titanic plain.csv --with 'formula:adult=age >= 18' --quiet
cairn evaluate tree plain.csv --target adult --ignore age --id id --by cv:3 --full --quiet | grep -E '^accuracy'
cairn fit tree @titanic --target "$adult" --quiet | head -n 1
cairn fit tree @titanic --target "$adult" 2>&1 >/dev/null | grep computed
cairn fit linear @rides --target 'double = 2*rides' 2>&1 >/dev/null | grep computed
cairn predict a.cairn --row 'sex=male,pclass=3,sibsp=3' --quiet
for wrong in 'adult = agee >= 18' 'sex = age >= 18' '= age' 'adult ='; do cairn fit tree @titanic --target "$wrong" --quiet; echo "exit $?"; done
cairn fit tree @titanic --with 'formula:adult=if(age > 18, 1, 0)' --target adult; echo "exit $?"

# SPDX-License-Identifier: MIT
# Members have names in a picture that stands alone, and one look in all of several panels; the model of all rows among experts
# is named, and a single row is a row.
cairn draw regions @iris --x petal_length --y petal_width --fit vote:learner=tree,learner=bayes --members --out one.svg --quiet
grep -o 'member [0-9]: [a-z]*\|together' one.svg
cairn draw regions @iris --x petal_length --y petal_width --fit vote:learner=tree --fit bagging:members=3 --members --out two.svg --quiet
grep -o 'member [0-9]: [a-z]*\|together' two.svg
cairn draw regions @iris --x petal_length --y petal_width --fit stack --members --out three.svg
cairn fit experts @iris --target petal_width --learner linear --save experts.cairn | grep '^Note: Member' -A 1
cairn predict experts.cairn @iris --where 'row() = 60' --explain | grep 'Each column'
exit 0

# SPDX-License-Identifier: MIT
# Pictures and rankings of learners that are named beside the data: machines, held-out rows.
cairn compute roc @breast-cancer --fit tree:max-depth=2 --fit logistic | grep -E '^(tree|logistic)' | head -n 2
cairn compute roc @iris --fit tree --positive virginica | grep -E '^(positives|negatives|area)'
cairn draw roc @breast-cancer --fit majority | head -n 2
for wrong in '@iris --fit tree' '@rides --fit tree' '@breast-cancer --fit linear' '@breast-cancer --fit tree --score age'; do
    cairn compute roc $wrong --quiet; echo "exit $?"
done
printf 'x,y,class\n2,3,+\n4,5,+\n3,4,+\n8,9,-\n7,5,-\n' >nums.csv
cairn fit svm nums.csv --target class --kernel linear --save s.cairn --quiet >/dev/null
cairn draw svm s.cairn --out a.svg --quiet
cairn draw svm nums.csv --target class --fit svm:kernel=linear --out b.svg --quiet && cmp a.svg b.svg && echo same
cairn draw svm s.cairn nums.csv --out c.svg && cmp a.svg c.svg && echo same
cairn draw svm nums.csv --target class | head -n 1
for wrong in '' 's.cairn --fit svm' 'nums.csv --target class --fit tree' 'nums.csv'; do cairn draw svm $wrong --quiet; echo "exit $?"; done

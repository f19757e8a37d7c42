# SPDX-License-Identifier: MIT
# One row is held against the rows that the model was fitted to, whatever else is predicted.
cairn fit boost @weather --rounds 3 --max-leaves 3 --min-leaf 1 --save b.cairn --quiet >/dev/null
printf 'outlook,temperature,humidity,wind\nsunny,hot,high,weak\n' >one.csv
cairn predict b.cairn one.csv --explain --quiet
cairn predict b.cairn @weather --explain --full --rows 1 --quiet | tail -11 >among
cairn predict b.cairn one.csv --explain --quiet | tail -11 | cmp - among && echo "alone as among others"
cairn predict b.cairn one.csv --explain --explain-by columns --quiet | sed -n '/Each/,$p'
cairn compute shapley b.cairn one.csv | sed -n '/background/p'
# rows that are given, a model without its history, an old file
cairn predict b.cairn one.csv --explain --background one.csv --quiet | sed -n '/The background/,$p'
cairn fit boost @weather --rounds 3 --max-leaves 3 --min-leaf 1 --no-history --save n.cairn --quiet >/dev/null
cairn predict n.cairn one.csv --explain --quiet | sed -n '/Note/,/^$/p'
cairn predict "$ROOT/tests/models/0.1.0/tree-weather.cairn" one.csv --explain --explain-by columns --quiet | sed -n '/Note/,/^$/p'
# more rows than are kept, several targets, rows of items and of letters
cairn fit knn @titanic --target survived --save t.cairn --quiet >/dev/null 2>&1
cairn predict t.cairn @titanic --explain --full --explain-by columns --rows 1 --draws 20 --quiet | sed -n '/The background/,/^$/p'
cairn fit knn @iris --target species,petal_width --save two.cairn --quiet >/dev/null
cairn predict two.cairn @iris --explain --full --explain-by columns --rows 1 --draws 20 --quiet | sed -n '/The background/p'
printf 'words,class\ncheap pills,spam\nmeet at noon,ham\ncheap watches,spam\nlunch at noon,ham\n' >mail.csv
cairn fit tree mail.csv --kinds words=text --with bag --target class --save m.cairn --quiet >/dev/null 2>&1
printf 'words\ncheap lunch\n' >new.csv
cairn predict m.cairn new.csv --explain --explain-by columns --quiet | tail -4
# shuffling needs more than one row
printf 'outlook,temperature,humidity,wind,play\nsunny,hot,high,weak,no\n' >known.csv
cairn compute importance b.cairn known.csv
echo "exit $?"

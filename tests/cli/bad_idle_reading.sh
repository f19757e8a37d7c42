# SPDX-License-Identifier: MIT
# Options for text in lines are refused where the data is something else; a model's own are not.
printf '@relation r\n@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\n2,b\n' >t.arff
printf '{"x":1,"y":"a"}\n{"x":2,"y":"b"}\n' >t.ndjson
printf 'notes\nx;y\n1;a\n2;b\n' >t.csv
cairn describe t.arff --skip 1; echo "exit $?"
cairn describe t.ndjson --comment '#'; echo "exit $?"
cairn describe t.ndjson --thousands ,; echo "exit $?"
cairn describe @weather --separator ';'; echo "exit $?"
cairn fit bayes t.ndjson --target y --chunk 2 --bad-lines skip; echo "exit $?"
cairn describe t.csv --skip 1 --separator ';' --show columns; echo "exit $?"
cairn fit majority t.csv --skip 1 --target y --save m.cairn --quiet; echo "exit $?"
cairn predict m.cairn t.arff; echo "exit $?"
cairn predict m.cairn t.arff --skip 1; echo "exit $?"
cairn describe t.csv --skip 1 --against t.arff --show columns >/dev/null; echo "exit $?"

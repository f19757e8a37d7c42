# SPDX-License-Identifier: MIT
# JSON objects in lines, in and out; a model that is fitted in chunks; what is no object is refused with its place.
printf '{"id": 1, "who": {"name": "Ada", "age": 36}, "ok": true}\n{"id": 2, "who": {"name": "Bob"}, "tags": ["a", "b"]}\n' > p.jsonl
cairn convert p.jsonl - --to csv
cairn convert p.jsonl - --to ndjson
cairn convert p.jsonl - --to json
cat p.jsonl | cairn convert - - --to csv --ignore tags
cairn convert @iris iris.ndjson --quiet
head -2 iris.ndjson
cairn convert iris.ndjson - --to csv --quiet | head -3
cairn fit bayes iris.ndjson --target species --chunk 40 --save b.cairn --quiet --out f.txt
cairn predict b.cairn iris.ndjson --quiet | sort | uniq -c | sed 's/^ *//'
said() { cairn "$@" 2>&1; echo "exit $?"; }
printf '{"a": 1}\n[1]\n' > bad.ndjson
said convert bad.ndjson - --to csv
printf '{"a": 1}\n{"a": }\n' > bad.ndjson
said convert bad.ndjson - --to csv
printf '{"a": [1, 2]}\n' > bad.ndjson
said convert bad.ndjson - --to csv

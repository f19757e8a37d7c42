# SPDX-License-Identifier: MIT
# A model that was written by hand answers rows without labels; a tree may be JSON.
printf 'outlook,humidity,play\nsunny,high,?\nrain,normal,?\novercast,high,?\n' >rows.csv
printf 'outlook,humidity\nsunny,high\nrain,normal\novercast,high\n' >bare.csv
printf '{"outlook = sunny": {"humidity = high": "no", "humidity = normal": "\\u0079es"},\n "outlook = overcast": "yes", "outlook = rain": "yes"}\n' >tree.json
cairn fit --full tree rows.csv --given tree.json --target play | tail -18
cairn fit --full tree bare.csv --given tree.json --target play --save model.cairn --out answers.csv --quiet && cat answers.csv
cairn export model.cairn --to tree-json
cairn export model.cairn --to tree-json --out again.json --quiet
cairn fit --full tree @weather --given again.json --save second.cairn --quiet && cairn export second.cairn --to text
printf 'if outlook = sunny then no\nelse yes\n' >rules.txt
cairn fit --full rule-list bare.csv --given rules.txt --target play --out said.csv --quiet && cat said.csv
cairn evaluate --full tree rows.csv --given tree.json --target play
printf 'outlook = sunny: no\noutlook = rain: no\noutlook = overcast: no\n' >one.txt
cairn fit --full tree bare.csv --given one.txt --target play
for bad in '{"outlook = sunny" "yes"}' '{"outlook = sunny": }' '{"outlook = sunny": "yes"' '{"outlook = sunny": "yes"} x' '{"outlok = sunny": "yes"}' '{"outlook = sunny": "\\q"}' '{outlook: 1}'; do
    printf '%s\n' "$bad" >bad.json
    cairn fit --full tree @weather --given bad.json
done

# SPDX-License-Identifier: MIT
cairn fit --full tree @iris --against-rest virginica --max-depth 1 --save m.cairn
cairn predict m.cairn @iris --quiet | sort | uniq -c | sed 's/^ *//'
cairn evaluate m.cairn @iris --format json | grep -E '^    "(accuracy|precision|recall|positive)"'
cairn evaluate tree @iris --against-rest virginica --max-depth 1 --format json | grep -E '^    "(accuracy|positive)"'
cairn compute confusion m.cairn @iris | sed -n '/^actual/,/^total/p'

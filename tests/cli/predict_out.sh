# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
cairn predict m.cairn @weather --out p.tsv
head -n 2 p.tsv
cairn predict m.cairn @weather --out p.json --quiet
grep '"play.14"' p.json

# SPDX-License-Identifier: MIT
cairn fit majority @weather --format json --out o.html; echo $?
cairn fit majority @weather --save m.cairn --quiet
cairn predict m.cairn @weather --format json --out o.csv; echo $?
cairn fit majority @weather --format json --out o.json --quiet && ls

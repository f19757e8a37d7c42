# SPDX-License-Identifier: MIT
cairn fit majority @weather --out r.html
cairn fit majority @weather --out r.md --quiet
cairn fit majority @weather --out r.json --quiet
cairn fit majority @weather --out page --format html --quiet
head -c 15 r.html; echo
head -n 1 r.md
grep -c '"values"' r.json
head -c 15 page; echo

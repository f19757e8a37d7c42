# SPDX-License-Identifier: MIT
cairn fit tree @weather --save weather.cairn --quiet >/dev/null
cairn export weather.cairn --to text --out weather.tree
cairn fit tree @weather --given weather.tree --quiet --format json | grep -o '"tree.text": *"[^"]*"'
cairn export weather.cairn --to c
cairn export weather.cairn --to nested
cairn export weather.cairn --to picture
printf 'outlook = sunny: yes\noutlook = rany: no\n' >bad.tree
cairn fit tree @weather --given bad.tree

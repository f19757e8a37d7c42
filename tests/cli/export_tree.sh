# SPDX-License-Identifier: MIT
cairn fit tree @weather --save weather.cairn --quiet >/dev/null
cairn export weather.cairn --to text --out weather.tree
cairn fit tree @weather --given weather.tree --quiet --format json | grep -o '"tree.text": *"[^"]*"'
cairn export weather.cairn --to c | grep "step_trees(.step1\|^ \*   row"
cairn export weather.cairn --to json --tests 2
cairn fit knn @iris --with pca:2 --save iris.cairn --quiet >/dev/null && cairn export iris.cairn --to dot
cairn export weather.cairn --to nested
cairn export weather.cairn --to picture
printf 'outlook = sunny: yes\noutlook = rany: no\n' >bad.tree
cairn fit tree @weather --given bad.tree

# SPDX-License-Identifier: MIT
# A model replaces a model, and a file that is none only by --force; an empty file holds nothing.
echo notes >notes.txt
cairn fit tree @weather --save notes.txt --quiet && echo replaced
cat notes.txt
cairn fit tree @weather --save notes.txt --force --quiet && cairn describe notes.txt | head -n 1
cairn fit majority @weather --save notes.txt --quiet && cairn describe notes.txt | head -n 1
echo notes >notes.txt
cairn evaluate tree @weather --save notes.txt >/dev/null
cairn tune tree @weather --over max-depth=1,2 --save notes.txt >/dev/null
cairn convert @weather out.csv --with standardise --save notes.txt
: >empty.cairn
cairn fit tree @weather --save empty.cairn --quiet && echo saved

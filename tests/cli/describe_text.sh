# SPDX-License-Identifier: MIT
# Text columns: distinct values and the commonest; bars of whole numbers have no gaps.
f=$(mktemp -d)/t.csv
awk -v OFS=, 'BEGIN { print "note,size"; for (i = 0; i < 90; i++) print (i % 9 == 0 ? "the same words again" : "words of number " i), i % 12 }' >"$f"
cairn describe "$f" --kinds note=text --show columns | tail -n +6
rm -r "$(dirname "$f")"

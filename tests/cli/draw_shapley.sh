# SPDX-License-Identifier: MIT
cairn fit forest @iris --target species --trees 10 --save f.cairn --quiet >/dev/null
cairn draw shapley f.cairn @iris --row 71
cairn draw shapley f.cairn @iris --part summary --of-class virginica --out s.svg
cairn draw shapley f.cairn @iris --part dependence --column petal_width --of-class virginica --out d.svg
cairn fit tree @weather --save w.cairn --quiet >/dev/null
cairn draw shapley w.cairn @weather --part dependence --colour wind
grep -c '<circle\|<path\|<use' s.svg d.svg | sed 's/:0$/: empty/; s/:[0-9]*$/: drawn/'
cairn draw shapley w.cairn @weather --part summary | head -2
# numbers beside bars end within the frame, of which a letter takes about 6 points
cairn draw shapley f.cairn @iris --row 57 --out r.svg
awk -F'[\"<>]' '/<svg x=/ { right = $3 + $7 } />[+]/ { print $11 ($3 + 6.2 * length($11) < right ? " fits" : " is cut") }' r.svg
cairn draw shapley f.cairn @iris --row 151
cairn draw shapley f.cairn @iris --part dependence --column petals
cairn draw shapley f.cairn @iris --part row --column petal_width

# SPDX-License-Identifier: MIT
# A choice that is spelt wrongly is answered with the nearest one; a preset for classes says so.
printf 'a,b,price\n1,2,3.5\n2,2,4.5\n3,1,9.25\n4,2,7.5\n' >prices.csv
cairn fit tree @weather --preset c45
cairn compute vc --class rectangles
cairn fit tree @weather --preset 7
for preset in c4.5 c5.0 quest; do cairn fit tree prices.csv --target price --preset $preset; done

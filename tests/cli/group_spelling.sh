# SPDX-License-Identifier: MIT
# Levels that differ in case, accents or blanks only: describe names the command that makes one of them, which works.
printf 'city,y\nZürich,1\nzurich,2\nBern,3\nZürich,4\nBERN,5\nbern ,6\n"New  York",7\nnew-york,8\nBasel,9\n' > c.csv
cairn describe --full c.csv | grep -A2 'differ in'
cairn convert c.csv - --to csv --with group:by=spelling
cairn convert c.csv out.csv --with group:by=spelling --save r.recipe --quiet
cairn describe --full r.recipe | sed -n '/Spellings/,/^$/p'
cairn describe r.recipe --format json | grep -o '"group.city.merged[^,]*'

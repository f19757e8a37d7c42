# SPDX-License-Identifier: MIT
# Pictures say what they show: titles, legends, colours of classes, frames, names, scales, training rows.
words() { grep -o '<text[^>]*>[^<]*' "$1" | sed 's/.*>//'; }
quiet() { cairn "$@" --quiet; }
quiet draw scatter @iris --x petal_length --y petal_width --out s.svg; words s.svg | grep -e over -e @iris -e species
# regions: the columns that the tree uses, not the first ones, and where the others are held
quiet fit tree @iris --max-depth 2 --save tree.cairn >/dev/null
quiet draw regions tree.cairn @iris --out r.svg; words r.svg | grep -e says -e held -e '^petal'
# a class without values keeps its place in the legend, and the others their colours
awk 'BEGIN { print "v,c"; for (i = 0; i < 30; i++) print (i % 3 ? i : "") "," substr("abc", 1 + i % 3, 1) }' >gap.csv
quiet draw density gap.csv --target c --column v --out d.svg
grep -o 'stroke="#[0-9A-Fa-f]*"[^>]*stroke-width="1.8"' d.svg | cut -c9-15 | sort -u | tr '\n' ' '; words d.svg | grep -e '^[abc]$' | tr '\n' ' '; echo
# a machine's classes have the colours of their places, whichever is positive
quiet convert @iris two.csv --where 'species != "setosa"'
quiet fit svm two.csv --target species --features petal_length,petal_width --kernel linear --save svm.cairn >/dev/null
cairn draw svm svm.cairn | grep virginica
# a soft machine far from its points: the frame holds its boundary
printf 'x,y,c\n1,1,a\n1.2,1.1,a\n1.1,0.9,a\n3,1,b\n' >few.csv
quiet fit svm few.csv --target c --kernel linear --c 0.05 --scale none --save few.cairn >/dev/null
quiet draw svm few.cairn --out f.svg; words f.svg | grep boundary
# thirty bars, each named by what tells it from the others
awk 'BEGIN { print "city"; for (i = 0; i < 60; i++) printf "settlement number %02d of the northern district\n", i % 30 }' >cities.csv
quiet draw bars cities.csv --kinds city=level --out b.svg; words b.svg | grep -c '…[0-3][0-9]…'
# times are the axis of lines, and dates are dates in the legend of percentiles
printf 'sales,day\n3,2024-01-05\n5,2024-03-01\n4,2024-02-10\n8,2024-04-02\n' >days.csv
quiet draw lines days.csv --out l.svg; words l.svg | grep -e 'over day' -e '2024'
quiet draw percentiles days.csv --column day --out p.svg; words p.svg | grep median
# skewed columns
quiet draw histogram @titanic --column fare --out h.svg; words h.svg | grep skewed
awk 'BEGIN { print "v"; for (i = 0; i < 60; i++) print exp(i * i / 400) }' >wide.csv
quiet draw histogram wide.csv --out w.svg; words w.svg | grep skewed
for picture in 'box --by survived' 'violin --by survived' 'scatter --x age --y fare'; do
    column=; [ "${picture%% *}" = scatter ] || column='--column fare'
    quiet draw ${picture%% *} @titanic ${picture#* } $column --out s.svg
    words s.svg | grep skewed
done
quiet draw histogram wide.csv --log no --out w.svg; words w.svg | grep -c skewed
cairn draw histogram @titanic --column fare --log yes
# mixtures, iteration by iteration
quiet fit mixture @mixture --components 2 --save mix.cairn >/dev/null
quiet draw density mix.cairn @mixture --iterations 0,1 --out x.svg; words x.svg | grep -e mixture -e component -e iteration
cairn draw density tree.cairn @iris
cairn draw density @iris --iterations 1
# training rows are called so
quiet fit logistic two.csv --target species --features petal_length --save l.cairn >/dev/null
quiet draw roc l.cairn two.csv --out o.svg; words o.svg | grep training
cairn compute roc l.cairn two.csv | grep -c optimistic
awk 'NR == 1 || NR % 2' two.csv >half.csv
quiet draw roc l.cairn half.csv --out o.svg; words o.svg | grep -c training
# a page of a dark screen
quiet describe @iris --out page.html; grep -c 'figure>svg{filter' page.html
exit 0

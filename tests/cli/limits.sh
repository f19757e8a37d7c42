# SPDX-License-Identifier: MIT
# Every limit is met and raised; refusals name it, its value and how to raise it.
said() { cairn "$@" 2>&1 | head -1; }
printf 'a,b,c\n1,x,2\n2,y,3\n3,zz,4\n' >t.csv
printf '{"a":1,"b":"x"}\n{"a":2,"b":"yyyyyy"}\n' >t.ndjson
printf '@relation r\n@attribute a numeric\n@attribute b {x,y,zz}\n@data\n1,x\n2,zz\n' >t.arff
awk 'BEGIN { print "a,b"; for (i = 0; i < 5000; i++) print i ",x" }' | gzip >t.csv.gz
for data in t.csv t.ndjson t.arff; do
    said describe $data --limits columns=1
    said describe $data --limits columns=3 | grep -c limit
    said describe $data --limits levels=1
    said describe $data --limits levels=3 | grep -c limit
    said describe $data --limits cell=1
    said describe $data --limits cell=6 | grep -c limit
done
# a declared column is refused at the level that is one too many
said describe t.csv --kinds b=level --limits levels=1
said describe t.csv.gz --limits unpacked=1K
said describe t.csv.gz --limits unpacked=1M | grep -c limit
# columns that a transform makes
said convert @weather out.csv --with indicators --limits columns=6
# expressions and formulas
said convert t.csv out.csv --where '((a)) > 1' --limits depth=2
said convert t.csv out.csv --where '((a)) > 1' --limits depth=20 | grep -c limit
said convert t.csv out.csv --where 'a > 1 and c > 1' --limits expression=8
said fit linear t.csv --formula 'a ~ ((c))' --limits depth=1
said fit linear t.csv --formula 'a ~ ((c))' --limits expression=4
said fit linear t.csv --formula 'a ~ ((c))' --limits depth=2,expression=9 | grep -c limit
deep() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "("; printf "c"; for (i = 0; i < n; i++) printf ")" }'; }
said fit linear t.csv --formula "a ~ $(deep 151)"
said fit linear t.csv --formula "a ~ $(deep 500)" --limits depth=500 | grep -c limit
said fit linear t.csv --formula "a ~ $(deep 501)" --limits depth=500
said convert t.csv out.csv --where "$(deep 230) > 0" --limits depth=500 | grep -c limit
# JSON has a depth of its own
awk 'BEGIN { printf "[{\"a\":"; for (i = 0; i < 3000; i++) printf "["; print "" }' >deep.json
said describe deep.json
# what cannot be set
said describe t.csv --limits columns
said describe t.csv --limits rows=5
said describe t.csv --limits columns=0
said describe t.csv --limits columns=5,
said describe t.csv --limits depth=501
said describe t.csv --limits columns=3,levels=1,columns=2

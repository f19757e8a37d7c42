# SPDX-License-Identifier: MIT
# Runs of numbers: read, gathered from long form, written, read back, and what is refused.
printf 'id,x\n1,0.5 0.25 -3\n2,1e3\n3,? 2\n4,\n' > s.csv
cairn describe --full s.csv --kinds x=series --rows 4
cairn convert s.csv - --kinds x=series --to ndjson | tee s.ndjson
cairn convert s.ndjson - --kinds x=series --to csv
cairn convert s.csv - --kinds x=sequence --to ndjson | tee q.ndjson
cairn convert q.ndjson - --kinds x=sequence --to csv
printf 'id,t,x,y,w\n1,1,0.5,1,a\n2,1,1,2,b\n1,2,0.7,,b\n2,2,4,5,a\n' > long.csv
cairn convert long.csv short.csv --sequence id --order t
cat short.csv
cairn convert short.csv - --to csv --kinds x=series,y=series --where 'id > 1'
cairn convert s.csv - --kinds x=series --to arff
cairn convert s.csv - --kinds x=series --sort x --to csv
cairn convert s.csv - --kinds x=series --where 'x > 1' --to csv
cairn fit --full tree long.csv --sequence id --order t --target w
printf 'x,c\n1 2,a\n3 b,b\n' > bad.csv
cairn convert bad.csv - --kinds x=series --to csv
printf 'x,c\n1 2,a\n3,b\n' > ok.csv
cairn fit --full bayes ok.csv --kinds x=series --target c
cairn fit --full knn ok.csv --kinds x=series --target c
exit 0

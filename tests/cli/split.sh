# SPDX-License-Identifier: MIT
# split: parts in files that together are the table, by share, stratum, group and time, and what is refused.
cairn split @titanic --train train.csv --test test.csv --share 0.3 --target survived
tail -n +2 -q train.csv test.csv | cut -d, -f1 | sort -n >both
seq 1 891 | cmp - both && echo "the parts are the table"
cairn split @titanic --train again.csv --test test2.csv --share 0.3 --target survived --quiet >/dev/null
cmp train.csv again.csv && echo "the same seed draws the same rows"
cairn split @titanic --train t.csv --test e.csv --validation v.csv --validation-share 0.2 --stratify pclass --quiet
cairn split @titanic --train t.csv --test e.csv --group ticket --quiet | tail -4
for f in t e; do cairn convert $f.csv $f.tsv --features ticket --kinds ticket=text --id none --target none --quiet; cut -f8 $f.tsv | tail -n +2 | sort -u >$f.u; done
comm -12 t.u e.u
awk 'BEGIN { print "day,x" ; for (i = 0; i < 40; i++) printf "2024-%02d-%02d,%d\n", 1 + (i * 7) % 12, 1 + (i * 11) % 28, i }' >days.csv
cairn split days.csv --train t.csv --test e.csv --validation v.csv --time day --quiet
(tail -n +2 t.csv | sort; tail -n +2 v.csv | sort; tail -n +2 e.csv | sort) >ordered
sort -c ordered && echo "no row is tested before one that is learned from"
cairn split days.csv --train t.csv --test e.csv --shuffle=no --share 0.1 --quiet && cat e.csv
cairn split @iris --train t.arff --test e.libsvm --quiet | tail -5; head -3 e.libsvm
cairn split @titanic --train t.csv --test e.csv --stratify name
cairn split @titanic --train t.csv --test e.csv --time name
cairn split @titanic --train t.csv --test e.csv --time age
cairn split @titanic --train t.csv --test e.csv --group embarked
cairn split @titanic --train t.csv --test e.csv --share 0.6 --validation v.csv --validation-share 0.5
cairn split @titanic --train t.csv --test t.csv
cairn split @titanic --train t.csv
cairn split days.csv --train days.csv --test e.csv
cairn split days.csv --train t.csv --test e.csv --time day --stratify x
cairn split days.csv --train t.csv --test e.csv --share 0.001
exit 0

# SPDX-License-Identifier: MIT
# Bayesian networks that are learned: trees, climbing, missing cells, and the network written down.
cairn fit --full bayes-net @weather --steps --save w.cairn | head -n 65
printf 'outlook,temperature,humidity,wind\nsunny,cool,high,strong\nsunny,?,high,strong\n' > new.csv
cairn predict w.cairn new.csv --output label,probabilities
cairn compute sample w.cairn --rows 4 --out drawn.csv > none.txt; cat drawn.csv
cairn fit --full bayes-net @weather --structure tree | grep -A 9 '^Variables'
cairn fit --full bayes-net @mushroom --structure climb --max-parents 2 2>&1 | grep -A 3 '^arcs'
cairn fit --full bayes-net @iris --target species | grep -A 8 '^Variables'
cairn export w.cairn --to text > w.txt; head -n 12 w.txt
cairn compute network w.txt --query 'P(play | outlook = sunny, wind = strong)' | tail -n 4
cairn fit --full bayes-net @weather --arcs 'outlook -> play -> wind -> outlook'
cairn fit --full bayes-net @weather --arcs 'outlok -> play'
cairn fit --full bayes-net @weather --smooth sometimes
cairn fit --full bayes-net @weather --structure climb --steps | grep -A 4 'BIC = '
cairn draw network w.cairn --out w.svg; grep -c '>P(' w.svg
cairn fit --full bayes-net @mushroom --structure climb --save m.cairn > none.txt 2>&1
cairn draw network m.cairn --out m.svg; grep -oE '>and [0-9]+ more [a-z]+<' m.svg | sort | uniq -c | sort -rn | head -n 3
cairn draw network 'burglary -> alarm; earthquake -> alarm; P(burglary) = 0.001; P(earthquake) = 0.002; P(alarm | burglary, earthquake) = 0.95; P(alarm | burglary, not earthquake) = 0.94; P(alarm | not burglary, earthquake) = 0.29; P(alarm | not burglary, not earthquake) = 0.001' --out alarm.svg
grep -oE '>[^<>]+<' alarm.svg | tr -d '<>' | grep -v '^ *$'
exit 0

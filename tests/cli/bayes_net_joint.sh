# SPDX-License-Identifier: MIT
# Bayesian networks without a target: the graph of all columns, densities, completions, reasons; a
# column that is the target by habit is one like the others where none is needed.
cairn fit --full bayes-net @weather --target none --structure tree --root wind --save w.cairn
printf 'outlook,temperature,humidity,wind,play\nsunny,?,high,?,no\n?,?,?,?,?\nrain,cool,normal,weak,yes\n' > new.csv
cairn predict w.cairn new.csv --output log_density,completion
cairn predict w.cairn new.csv --explain --where 'play = "no" or play = "yes"' | tail -n +9
cairn fit --full bayes-net @weather --target none --structure climb | grep -A 9 '^Variables'
cairn compute sample w.cairn --rows 3 --out drawn.csv > none.txt; cat drawn.csv
cairn compute network w.cairn --query 'P(play | outlook = sunny)' | tail -n 4
cairn fit --full bayes-net @weather --structure tan --target none
cairn fit --full bayes-net @weather --structure tree --root wynd
cairn fit --full mixture @iris --features petal_length,species | grep -A 5 '^Components'
cairn fit --full mixture @iris --features petal_length,species --target species
exit 0

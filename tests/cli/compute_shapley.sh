# SPDX-License-Identifier: MIT
cairn fit tree @weather --save w.cairn --quiet >/dev/null
cairn compute shapley w.cairn @weather --rows 1 --steps --interactions
cairn compute shapley w.cairn @weather --rows 2 --against rows --steps | sed -n '/Step 1/,$p'
cairn compute shapley w.cairn @weather --rows 2 --against rows --interactions | tail -6
cairn compute shapley w.cairn @weather --of-class no --interactions --out i.csv --quiet >/dev/null
head -2 i.csv
cairn predict w.cairn @weather --explain --full --explain-by shapley --rows 3 --quiet | tail -14
cairn fit forest @iris --target species --trees 10 --save f.cairn --quiet >/dev/null
cairn compute shapley f.cairn @iris | tail -22
cairn compute shapley f.cairn @iris --out v.csv --threads 1 --quiet
mv v.csv one.csv
cairn compute shapley f.cairn @iris --out v.csv --threads 3 --quiet >/dev/null
cmp v.csv one.csv && head -2 v.csv
cairn fit logistic @weather --save l.cairn --quiet >/dev/null 2>&1
cairn compute shapley l.cairn @weather --rows 1 --of-class no --steps | tail -24
cairn fit knn @iris --target species --k 5 --save k.cairn --quiet >/dev/null
cairn compute shapley k.cairn @iris --rows 51 --draws 20 --permutations 20
cairn compute shapley k.cairn @iris --rows 51 --draws 20 --permutations 20 --steps | sed -n '/Step 1/,/score/p'
cairn fit boost @weather --rounds 3 --max-leaves 3 --min-leaf 1 --save b.cairn --quiet >/dev/null
cairn predict b.cairn @weather --explain --full --rows 1 --quiet | tail -14
# fewer orders than background rows
cairn compute shapley w.cairn @weather --rows 1 --method sampled --permutations 5
# refusals
cairn fit linear @iris --target petal_width,petal_length --save two.cairn --quiet >/dev/null
cairn compute shapley two.cairn @iris
cairn compute shapley k.cairn @iris --method exact
cairn compute shapley @iris
cairn compute shapley w.cairn @weather --of-class maybe
cairn compute shapley w.cairn @weather --rows 15
cairn compute shapley w.cairn @weather @weather @weather
cairn compute shapley w.cairn @weather --method sampled --interactions
cairn compute shapley w.cairn @iris

# SPDX-License-Identifier: MIT
cairn compute itemsets @baskets --support 3 --sets maximal
cairn compute itemsets @baskets --support 2 --algorithm fp-growth --steps
cairn compute itemsets @baskets --support 2 --out sets.csv --quiet
cat sets.csv
cairn compute associations @baskets --support 3
cairn compute associations @baskets --support 2 --order lift --without 2 --out rules.csv --quiet
head -n 3 rules.csv
cairn compute associations @weather --support 2 --by wind --max-size 2 --confidence 1 | head -n 30
cairn compute itemsets @iris --support 3
cairn compute itemsets @baskets --support 9
cairn compute itemsets @baskets --support 1.5
cairn compute itemsets @baskets --covers beer,wine

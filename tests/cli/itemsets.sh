# SPDX-License-Identifier: MIT
cairn compute itemsets @baskets --support 3 --sets maximal
cairn compute itemsets @baskets --support 2 --algorithm fp-growth --steps
cairn compute itemsets @baskets --support 2 --out sets.csv --quiet
cat sets.csv
cairn compute associations @baskets --support 3 --steps
cairn compute associations @baskets --support 2 --order lift --without 2 --out rules.csv --quiet
head -n 3 rules.csv
cairn compute associations @weather --support 2 --by wind --max-size 2 --confidence 1 | head -n 33
cairn compute itemsets @iris --support 3
cairn compute itemsets @baskets --support 9
cairn compute itemsets @baskets --support 7 | head -n 10
cairn compute itemsets @baskets --support 1.5
cairn compute itemsets @baskets --covers beer,wine
cairn compute itemsets @baskets --support 3 --algorithm breadth --steps | head -n 34
cairn compute itemsets @baskets --support 3 --algorithm eclat --steps | head -n 18
cairn compute itemsets @baskets --support 2 --estimate | tail -n 4
printf 'red wine,bread\nbread,red wine,cheese & ham,bread\n\n' > shop.basket
cairn compute itemsets shop.basket --separator , --support 1 --empty --out shop.csv --quiet
cat shop.csv
cairn compute associations shop.basket --separator , --support 1 --confidence 1 --max-head 1
printf 'id,milk,bread,ham,seg,n\nc1,yes,no,yes,old,2\nc2,yes,yes,?,young,1\nc3,no,yes,yes,old,1\nc4,yes,yes,no,young,3\n' > yes.csv
cairn compute associations yes.csv --id id --weight n --by seg --present yes --support 1 --without all --out rules.csv --quiet
cat rules.csv
cairn compute associations yes.csv --id id --weight n --ignore seg --present yes --support 1 --interesting --without all
cairn compute associations yes.csv --by n --present yes --support 1
cairn compute associations yes.csv --by place --present yes --support 1
cairn compute associations @baskets --support 3 --without 99

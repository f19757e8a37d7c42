# SPDX-License-Identifier: MIT
# Sorting, grouping, joining, pivoting: what comes out and what is said about it.
cat >sales.csv <<'END'
shop,day,item,price,n
Bonn,2026-01-03,tea,3.5,2
Kiel,2026-01-01,milk,1.25,5
Bonn,2026-01-02,tea,3.75,1
Bonn,2026-01-01,milk,,4
Kiel,2026-01-02,?,2,3
END
printf 'item,kind,price\ntea,drink,3\nmilk,dairy,1\nbread,bakery,2\n' >items.csv
to() { cairn convert sales.csv - --to csv "$@"; }
to --sort shop,-price
to --distinct-by shop --ignore item,price
to --group-by shop --aggregate 'n=count(), count(price), mean(price), max(day), mode(item), share(n)'
to --aggregate 'sum(n), half=quantile(price, 0.5)'
for how in inner left right full semi anti; do to --join items.csv --on item --how $how; done
to --join items.csv --on item --how left --sort kind,day --limit 2 --ignore shop
to --pivot item --group-by shop --aggregate 'sum(n), count()'
to --unpivot price,n --names-to what --drop-missing --where 'shop = "Kiel"'
to --sample 2 --seed 3
to --sample 0.6 --quiet
cairn convert sales.csv out.csv --join sales.csv --on shop --group-by shop --aggregate 'rows()' --steps
cat out.csv

# SPDX-License-Identifier: MIT
# What cannot be sorted, grouped, joined or pivoted is refused with the reason.
cat >sales.csv <<'END'
shop,item,price,n
Bonn,tea,3.5,2
Kiel,milk,1.25,5
Bonn,tea,3.75,1
END
printf 'item,kind,price\ntea,drink,3\nmilk,dairy,1\n' >items.csv
try() {
    cairn convert sales.csv - --to csv "$@"
    echo "exit $?"
}
try --sort prise
try --sort ''
try --group-by shop --aggregate 'sum(item)'
try --group-by shop --aggregate 'maen(price)'
try --group-by shop --aggregate 'max(item)'
try --group-by shop --aggregate 'quantile(price)'
try --group-by shop --aggregate 'shop=count()'
try --group-by shop --weight item
try --join items.csv
try --on item
try --join items.csv --on itm
try --join items.csv --on item=price
try --join items.csv --on item --suffix ''
try --join nothing.csv --on item
try --pivot item
try --pivot item --values n --group-by shop
try --values n
try --unpivot price,item
try --unpivot price --names-to shop
try --sample 1.5
try --distinct --distinct-by shop
cairn convert sales.csv items.csv --join items.csv --on item
echo "exit $?"
awk 'BEGIN { print "k"; for (i = 0; i < 60000; i++) print 1 }' >ones.csv
cairn convert ones.csv big.csv --join ones.csv --on k --memory 1G
echo "exit $?"

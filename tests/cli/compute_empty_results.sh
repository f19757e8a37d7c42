# SPDX-License-Identifier: MIT
# Nothing frequent, with and without weights, by every engine; rows without a class.
for engine in auto apriori breadth eclat fp-growth lists; do
    cairn compute itemsets @baskets --support 8 --algorithm $engine --steps >/dev/null || echo "$engine failed"
done
printf 'a,b,w\n1,0,1\n0,1,2\n' > w.csv
for engine in auto apriori breadth eclat fp-growth lists; do
    cairn compute itemsets w.csv --weight w --support 0.9 --algorithm $engine | grep 'frequent sets'
done
cairn compute associations w.csv --weight w --support 0.9
printf 'a,b,y\nu,x,p\nv,z,?\nu,z,n\n' > u.csv
cairn compute version-space u.csv --target y --positive p --language subsets
cairn compute itemsets @baskets --support 3 --empty | grep -A 9 'frequent sets'
printf 'a b\na b\nb\nc\n\n\n' >end.basket
cairn compute itemsets end.basket --support 1 | grep transactions
cairn compute associations end.basket --support 2 --confidence 1 --out rules.csv --quiet
cat rules.csv

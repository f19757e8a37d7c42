# SPDX-License-Identifier: MIT
# What a mixture shows: narrow peaks, densities and expected cells in its steps, its floor, its own columns.
printf 'x\n1\n1\n1\n' >const.csv
cairn fit --full mixture const.csv | grep -E 'judged by|^ *mode'
cairn fit mixture const.csv --out const.svg 2>/dev/null
grep -o '>[0-9]*00<' const-mixture.svg | tail -n 1
printf 'x\n1\n1\n1\n5\n' >eq.csv
cairn fit --full mixture eq.csv --steps --quiet | grep -m 2 -A 1 'raised'
cairn fit --full mixture @mixture --steps --quiet --max-iter 1 | grep -A 1 'p_[0-9](x)'
printf 'x,y\n1,2\n2,\n3,3\n10,9\n,10\n11,12\n' >gaps.csv
cairn fit --full mixture gaps.csv --steps --quiet --max-iter 1 | grep -A 5 'Missing cells as'
cairn fit mixture gaps.csv --steps --max-iter 1 --out gaps.svg 2>/dev/null
grep -c 'not on the axes' gaps-iteration1.svg
cairn fit --full mixture @iris --features petal_length,petal_width --components 3 --save petals.cairn --quiet >report
cairn draw clusters petals.cairn @iris --out clusters.svg 2>/dev/null
grep -o '>[a-z]*_[a-z]*<' clusters.svg
cairn draw contours @iris --covariance shared --out shared.svg 2>/dev/null
cairn draw contours @iris --covariance pooled --out pooled.svg 2>/dev/null
cmp shared.svg pooled.svg && echo 'shared is pooled'
cairn compute distribution normal --parameters 3,2 --steps --quiet | grep -E '^ +(mean|variance)'
printf 'x,g,k\n1,a,u\n2,a,v\n3,a,\n,b,u\n9,b,u\n10,b,v\n' >mixed.csv
cairn fit --full mixture mixed.csv --steps --quiet --starts 1 --max-iter 1 | sed -n '/^ *p_c(x)/,/^New parameters/p' | head -n 72
cairn fit --full mixture gaps.csv --covariance diagonal --steps --quiet --starts 1 --max-iter 0 | grep -A 1 'D² of'
for i in 1 2 3 4 5 6 7 8; do printf 'a,u\nb,v\n'; done | sed '1i p,q' >twice.csv
for seed in 1 2 3 4 5 6; do cairn fit --full mixture twice.csv --starts 1 --seed $seed | grep '^log-likelihood:'; done | uniq -c
exit 0

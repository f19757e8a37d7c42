# SPDX-License-Identifier: MIT
# A target whose squares overflow is refused by every learner of numbers, never answered by none.
printf 'x,y\n1,2\n2,1e308\n3,-1e308\n4,1e200\n5,3\n' >huge.csv
for learner in tree forest knn linear majority; do
    cairn fit --full $learner huge.csv --target y --task regress --save model
    echo "$learner: $?"
done
printf 'x,y\n1,2e150\n2,1e150\n3,-1e150\n4,1e150\n5,3\n' >large.csv
cairn fit --full tree large.csv --target y --task regress --max-leaves 2 | grep '[├└]'
printf 'x,w,y\n1,1e300,1e10\n2,1,3\n3,1,4\n4,1e308,7\n' >heavy.csv
for learner in tree forest knn; do cairn fit --full $learner heavy.csv --target y --weight w --task regress; done
{ echo x,y; seq 1 2000 | sed 's/$/,1e152/'; } >many.csv
cairn fit --full tree many.csv --target y --task regress

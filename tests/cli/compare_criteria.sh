# SPDX-License-Identifier: MIT
# noise, gaps and costs beside the results; the predictions of all learners; one picture of many
cairn compare --full majority tree:max-depth=2 --on @titanic --by cv:3 --noise 0.5 --label-noise 0.2 --missing-share 0.2 --cost-fn 5 --threads 1 > one
cairn compare --full majority tree:max-depth=2 --on @titanic --by cv:3 --noise 0.5 --label-noise 0.2 --missing-share 0.2 --cost-fn 5 --threads 4 > four
cmp one four
sed -n '/^Costs/,/^Split/p' one | sed -E 's/ +[0-9]{4,}  /  BYTES  /'
cairn compare majority cost-sensitive:learner=tree,cost-fn=5 --on @titanic --by cv:3 --format json | grep -c '"cost-sensitive:learner=tree,cost-fn=5.cost"'
cairn compare majority tree --on @titanic --by cv:3 --out rows.csv --quiet
head -n 2 rows.csv
cairn compare majority tree --on @titanic --by cv:3 --figure roc --out roc.svg --quiet
head -c 4 roc.svg; echo
cairn compare majority tree --on @titanic --by cv:3 --figure rok --out roc.svg
cairn compare --full majority tree --on @titanic --growth
cairn compare --full majority tree --on @titanic --measure accuracy,f1
cairn compare --full majority tree --on @titanic @iris --out rows.csv
cairn compare --full majority tree --on @titanic --costs '0,1;2'
cairn compare --full majority tree --on @titanic --by cv:3 --costs '0,1,2;1,0,2;1,1,0'
cairn compare --full majority tree --on @titanic --by cv:1
cairn compare --full majority tree --on @titanic --missing-share 1
cairn compare --full majority tree:max-depth=2 --on @titanic --by cv:3 --learning-curve 20,100,500 | sed -n '/^Learning/,/^Pairs/p'
cairn compare --full majority tree --on @titanic --learning-curve x
cairn compare --full linear tree --on @used-cars --task regress --by cv:3 --label-noise 0.1

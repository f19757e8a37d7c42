# SPDX-License-Identifier: MIT
# A chain for each class: sequences, steps in columns, long form, orders, unknown symbols, and what is refused.
printf 'w,class\na b a b,x\na b b,x\nb a a,y\na a a b,y\nb a,x\na a,y\n' > s.csv
printf 'w\na b a\na a\nz a\n\n' > q.csv
cairn fit --full markov s.csv --target class --kinds w=sequence --steps --save m.cairn | sed -n '/^Steps/,/^On the/p'
cairn predict m.cairn q.csv --explain --full --rows 1,3 --output label,probabilities
cairn fit --full markov s.csv --target class --kinds w=sequence --chain-order 2 --smooth lambda:0.1 | grep -A 8 '^Class'
cairn fit --full markov s.csv --target class --kinds w=sequence --smooth none | grep -A 6 '^Class y'
cairn fit --full markov s.csv --target class --kinds w=sequence --chain-order 0 | grep -A 4 '^Class'
printf 'id,t,w,class\n1,1,a,x\n2,1,b,y\n1,2,b,x\n2,2,a,y\n2,3,a,y\n1,4,a,x\n3,1,b,x\n' > long.csv
cairn convert long.csv - --to csv --sequence id --order t
cairn fit --full markov long.csv --sequence id --order t --target class | grep -A 6 '^Class'
cairn predict m.cairn long.csv --sequence id --order t
cairn fit --full markov @weather --target play --chain-order 1 | grep -A 12 '^Class no'
printf 'id,t,w,class\n1,1,a,x\n1,2,,x\n1,3,b,x\n2,1,b,y\n' > holes.csv
cairn convert holes.csv holes.out.csv --sequence id --order t
cat holes.out.csv
cairn fit --full markov holes.out.csv --kinds w=sequence --target class --features w | grep -A 6 '^Class x'
printf 'id,t,w\n1,2,a\n1,1,b\n' > back.csv
cairn convert back.csv - --to csv --sequence id --order t
printf 'id,t,w\n1,2,a\n1,2,b\n' > same.csv
cairn convert same.csv - --to csv --sequence id --order t
printf 'id,t,w,v\n1,1,a,0.5\n1,2,b,0.7\n' > numbers.csv
cairn convert numbers.csv - --to csv --sequence id --order t
cairn convert numbers.csv - --to csv --sequence id --order t --ignore v
cairn convert numbers.csv - --to csv --sequence id --order t --steps-in w
cairn convert numbers.csv - --to csv --sequence id --order w
cairn convert numbers.csv - --to csv --sequence idd
printf 'id,t,w\n1,1,a\n,2,b\n' > lost.csv
cairn convert lost.csv - --to csv --sequence id
printf 'id,w\n1,a\n2,b\n' > single.csv
cairn convert single.csv - --to csv --sequence id
cairn convert single.csv - --to csv --sequence id --steps-in w
cairn fit --full bayes long.csv --sequence id --target class --chunk 2
cairn fit --full markov s.csv --target class --order t
printf 'w,class\na b,x\na a,y\n' > end.csv
cairn fit --full markov end.csv --target class --kinds w=sequence --smooth none
cairn fit --full markov end.csv --target class --kinds w=sequence --smooth none --unvisited uniform | grep -A 5 '^Class x'
cairn fit --full markov end.csv --target class --kinds w=sequence --smooth bits
cairn fit --full markov @iris --target species
cairn compute sample m.cairn --rows 4 --seed 3
cairn fit markov @weather --target play --save w.cairn > /dev/null
cairn compute sample w.cairn --rows 3 --seed 3
# a column of sequences that is not declared, rows of one step, and long form that predict was not told of
cairn fit markov s.csv --target class --out plain.txt
printf 'w,class\na,x\nb,y\na,y\n' > one.csv
cairn fit markov one.csv --target class --out plain.txt
cairn compute chain s.csv --column w --smooth laplace | head -n 1
cairn fit markov long.csv --sequence id --order t --target class --save l.cairn > /dev/null
cairn predict l.cairn long.csv
cairn predict l.cairn long.csv --sequence id --order t
printf 'id,w\n7,a b\n7,b a\n' > wide.csv
cairn predict l.cairn wide.csv
# one chain of all rows: likelihood of rows, sampling, the text form; classes and orders that have none
cairn fit --full markov-chain s.csv --features w --kinds w=sequence --steps --save c.cairn | sed -n '/^Step 1/,/^Note/p'
cairn predict c.cairn q.csv --output all
cairn compute sample c.cairn --rows 3 --seed 3
cairn export c.cairn --to text --out c.txt
cat c.txt
cairn compute chain --given-file c.txt --of 'a b a b' | tail -n 4
cairn export m.cairn --to text
cairn fit markov-chain s.csv --features w --kinds w=sequence --chain-order 0 --save zero.cairn > /dev/null
cairn export zero.cairn --to text
cairn fit markov-chain s.csv --features w --kinds w=sequence --chain-order 2 --save two.cairn > /dev/null
cairn export two.cairn --to text
cairn fit --full markov-chain end.csv --features w --kinds w=sequence --smooth none
printf 'w,class\na b,x\n,y\nb a,y\n' > empty.csv
cairn fit --full markov empty.csv --target class --kinds w=sequence --save e.cairn --quiet
cairn fit --full markov empty.csv --target class --kinds w=sequence | grep -A 4 'Class y'
cairn predict e.cairn empty.csv
cairn fit --full markov @weather --features outlook,temperature,humidity,wind --chain-order 2 --save columns.cairn --quiet
cairn export columns.cairn --to c --out columns.c && grep -c 'step_lookup' columns.c
cairn export e.cairn --to c
exit 0

# SPDX-License-Identifier: MIT
# Chains of higher order: typed, counted, of saved models; their contexts, last steps, and what is refused.
cairn compute chain --chain-order 2 --states a,b --transitions '0.1,0.9;0.4,0.6;0.7,0.3;0.2,0.8' --start 0.1,0.2,0.3,0.4 --after 0,1,2,5 --of 'a b b a' --simulate 12 --steps
cairn compute chain --chain-order 2 --sequences 'a b a a b b a; b b a b a a; a a b b' --unvisited smooth --after 3 --steps
cairn compute chain --chain-order 0 --sequences 'a b a a; b a' --after 2
cairn compute chain --chain-order 3 --states a,b --transitions '1,0;0,1;1,0;0,1;1,0;0,1;1,0;0,1' --of 'a a b a' --simulate 5 --seed 2
printf 'w,class\na b a b a b b,x\na b b a b,x\nb a a b a,y\na a a b a,y\nb a b,x\na a b,y\n' > s.csv
cairn fit markov-chain s.csv --features w --kinds w=sequence --chain-order 2 --save two.cairn --quiet
cairn compute chain two.cairn --after 4 --of 'a b a'
cairn fit markov s.csv --target class --kinds w=sequence --save m.cairn --quiet
cairn compute chain m.cairn --of-class y --after 1
cairn compute chain m.cairn
cairn compute chain m.cairn --of-class z
cairn compute chain two.cairn --of-class y
cairn compute chain two.cairn --chain-order 2
cairn compute chain s.csv --kinds w=sequence --column w --of-class y
cairn compute chain --chain-order 2 --states a,b --transitions '0.1,0.9;0.4,0.6'
cairn compute chain --chain-order 2 --states a,b --transitions '0.1,0.9;0.4,0.6;0.7,0.3;0.2,0.7'
cairn compute chain --chain-order 2 --transitions '0.1,0.9;0.4,0.6;0.7,0.3;0.2,0.8' --start 1,0
cairn compute chain --chain-order 2 --given 'states a b; from a 1 0; from b 0 1'
cairn compute chain --chain-order 2 --sequences 'a b c'
cairn fit hmm s.csv --features w --kinds w=sequence --save h.cairn --quiet
cairn compute chain h.cairn
cairn draw chain two.cairn --out two.svg && grep '<path' two.svg | grep -o M | wc -l

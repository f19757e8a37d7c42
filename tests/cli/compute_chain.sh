# SPDX-License-Identifier: MIT
# Markov chains: learned from a file, several closed classes, turns, long sequences, and what is refused.
T='--states rain,dry --transitions 0.3,0.7;0.2,0.8 --start 0.4,0.6'
cairn compute chain $T --of 'rain rain dry dry' --of '"dry",rain' --after 0,1000000
printf 'day,weather\n1,rain dry dry\n2,dry\n3,dry rain rain\n' > days.csv
cairn compute chain days.csv --kinds weather=sequence --column weather --steps
cairn compute chain --sequences 'a b b; a' --smooth lambda:0.5 --steps
cairn compute chain --given 'states a b c; from a 1 0 0; from b 0 0 1; from c 0 1 0' --of 'b c a'
printf 'states a b\nfrom a 0.5 0.5\nfrom b 1/4 3/4\n' > chain.txt
cairn compute chain --given-file chain.txt --simulate 5 --seed 3 --out walk.csv
cat walk.csv
cairn compute chain --sequences 'a b; a b b c'
cairn compute chain --sequences 'a b; a b b c' --unvisited uniform | head -n 12
cairn compute chain --sequences 'a b;; b'
cairn compute chain --sequences ';'
cairn compute chain --states rain,dry --sequences 'rain dri rain'
cairn compute chain $T --of 'rain snow'
cairn compute chain $T --of ' '
cairn compute chain --transitions '0.3,0.6;0.2,0.8'
cairn compute chain --transitions '0.3,0.7'
cairn compute chain --transitions '0.3,0.7;0.2,0.8' --states a,a
cairn compute chain --transitions '0.3,0.7;0.2,0.8' --start 0.3
cairn compute chain $T --after 1.5
cairn compute chain $T --sequences 'rain dry'
cairn compute chain $T --out walk.csv
cairn compute chain
cairn compute chain --given 'states a b; symbols x; from a 1 0; from b 1 0; emit a 1; emit b 1'
cairn compute chain @iris --column sepal_length
cairn compute chain --sequences 'a b a' --smooth bits
cairn compute chain $T --after 1,2,9 --steps | sed -n '/After 4/,/^Distribution/p'
exit 0

# SPDX-License-Identifier: MIT
# the work of the calculators about concepts, theory, items and trees
cairn compute version-space @enjoysport --no-members --steps
cairn compute generalise @dolphins --language disjunction --no-lattice --steps
cairn compute specialise @dolphins --start 'gills=no' --steps
cairn compute consistency @pass-fail --positive Pass --rule 'score1 >= 25' --free M --rule 'score1 + score2 >= M' --steps
cairn compute generality --hypothesis 'x >= 20' --hypothesis 'x >= 19' --steps
cairn compute hypothesis-space --values 3,2,2 --seen 4 --steps
cairn compute unify --terms 'P(A, F(B)); P(C, F(y)); P(C, D)' --steps
cairn compute horn --theory 'a & b -> c' --steps
cairn compute pac --hypotheses 973 --epsilon 0.1 --delta 0.05 --steps
cairn compute vc --class conjunction --variables 2 --steps
cairn compute itemsets @baskets --support 3 --algorithm fp-growth --steps
cairn compute leaves --leaves '(29,10)(1,25)(15,3)' --steps
cairn compute subgroups @dolphins --max-literals 2 --top 3 --steps

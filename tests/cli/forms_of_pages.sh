# SPDX-License-Identifier: MIT
# Counts, rates, shares and separators in the forms that pages print, taken or refused with a remedy.
say() { echo "> $*"; cairn "$@" 2>&1 | grep -E "${only:-.}" | head -${lines:-6}; }
only='cairn:|^ *(1|2) |^entropy|^leaves|◎|^segments|^weighted' lines=4
say compute split --table '[8+,2-][2+,8-]'
say compute split --table '8,2;2,8'
say compute impurity --counts '[9+,5-]'
say compute leaves --leaves '[8+,2-][2+,8-]'
say compute smoothing --counts '[8+,2-]'
say compute contingency --table '[8+, 2−] [2+, 8−]'
say compute split --table '[8+,2-][2+,8]'
cairn draw impurity --split '[8+,2-][2+,8-]' --out a.svg --quiet && cairn draw impurity --split '8,2;2,8' --out b.svg --quiet && cmp a.svg b.svg
points='--positives 10 --negatives 10 --quiet'
cairn draw isometrics --points '[8+,2-][2+,8-]' $points --out a.svg && cairn draw isometrics --points '8,2;2,8' $points --out b.svg && cmp a.svg b.svg
cairn draw isometrics --points 'A=[8+,2-];B=[2+,8-]' $points --out a.svg && cairn draw isometrics --points 'A=8,2;B=2,8' $points --out b.svg && cmp a.svg b.svg
cairn draw tree-coverage --leaves '[8+,2-][2+,8-]' --out a.svg --quiet && cairn draw tree-coverage --leaves '8,2;2,8' --out b.svg --quiet && cmp a.svg b.svg
only='cairn:|^estimate|^share|^ *0.9 |^held-out|^items:|^frequent|^learning' lines=5
say compute interval --errors 0.3 --n 40 --level 90%
say compute interval --errors 12 --n 40 --level 90
say compute interval --errors 12.5 --n 40
say compute interval --errors 12.5 --n 40 --estimates 2 --level 0.9
say compute proportion --successes 30% --n 40
say compute proportion --successes 0.333 --n 40
say compute proportion --successes 0.3 --n 40 --second 0.25 --second-n 80
say compute proportion --successes 12 --n 40 --level 95
say compute pac --epsilon 10% --delta 1/20 --hypotheses 973
say evaluate --full tree @weather --by holdout:2/3
say evaluate --full tree @weather --by holdout:1/3
printf 'beer, crisps\nnappies, beer\nbeer, crisps, nappies\napples, crisps\n' >comma.basket
printf 'beer crisps\nnappies beer\nbeer crisps nappies\napples crisps\n' >blank.basket
printf 'beer crisps\nbeer, crisps\n' >either.basket
printf 'red wine;beer\nbeer\nbeer ; crisps\n' >semicolon.basket
printf 'red wine\tbeer\nbeer\n' >tab.basket
printf '1,2-diol beer\nbeer nuts\n' >inside.basket
for data in comma blank either semicolon tab inside; do say compute itemsets $data.basket; done
say compute itemsets either.basket --separator ','
say compute itemsets comma.basket --separator comma

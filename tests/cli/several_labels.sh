# SPDX-License-Identifier: MIT
cat > films.csv <<'DATA'
title,budget,explosions,laughs,genre
A,10,0,9,comedy;indie
B,150,12,2,action
C,120,15,11,action; comedy
D,90,1,1,;
E,8,0,3,indie
F,160,14,1,?
G,100,2,12,comedy
H,9,1,14,indie;comedy
I,140,13,10,action;comedy
J,95,0,0,;
DATA
cairn fit --full tree films.csv --target genre --label-mark ';' --id title --save m.cairn | sed -n '1,16p;/On the training/,$p'
cairn predict m.cairn films.csv --unanswered --output all
cairn predict m.cairn films.csv --quiet | head -n 5
printf 'title,budget,explosions,laughs,genre\nK,7,0,10,indie;comedy;western\nL,130,11,3,action\n' > new.csv
cairn evaluate --full m.cairn new.csv
cairn evaluate --full tree films.csv --target genre --label-mark ';' --id title --by loo | sed -n '/^By label/,$p'
printf 'n,items\n1,a b\n2,a\n3,b\n4,a b c\n5,c\n6,c\n' > bag.csv
cairn fit --full majority bag.csv --kinds items=bag --target items --save b.cairn --quiet
cairn predict b.cairn bag.csv --quiet | head -n 2
for t in 1 2 4; do cairn evaluate tree films.csv --target genre --label-mark ';' --id title --by loo --threads $t --format json | cksum; done | uniq | wc -l

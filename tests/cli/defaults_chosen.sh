# SPDX-License-Identifier: MIT
# What learners choose by the rows: enough rows are held out, few are not; numbers are compared, not
# printed.
value() { grep "\"$1\":" | sed 's/.*: *//; s/,$//' | head -n 1; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { print (a < b) ? "less" : "not less" }'; }
cairn fit --full network @wine --quiet | grep -A1 'Note: A fifth'
cairn fit --full network @wine --hold-out 0.1 --quiet | grep -A1 'Note: The weights kept'
cairn fit --full network @wine --hold-out 0 --quiet | grep -c 'held out'
cairn fit --full network @wine --where 'alcohol > 13.5' --quiet | grep 'tanh\|held out'
cairn fit --full adaboost @breast-cancer --rounds 3 --quiet | grep '^base'
cairn fit --full adaboost @iris --rounds 3 --quiet | grep '^base'
cairn fit --full adaboost @iris --rounds 3 --learner tree:max-depth=1 --quiet | grep '^base'
plain=$(cairn evaluate bayes @wine --with-calibration isotonic,laplace=no --format json --quiet | value log_loss)
less "$(cairn evaluate bayes @wine --with-calibration isotonic --format json --quiet | value log_loss)" "$plain"
printf 'x,k,y\n' > constant.csv
for i in 1 2 3 4 5 6; do printf '%d00000,0,a\n9%d00000,%d,b\n' $i $i $((i % 2)); done >> constant.csv
printf 'x,k\n300000,0.001\n' > new.csv
for share in 1e-9 0; do cairn fit bayes constant.csv --target y --least-of-largest $share --save b.cairn --quiet > /dev/null && cairn predict b.cairn new.csv --quiet | tail -n 1; done
less "$(cairn fit boost @wine --format json --quiet | value boost.rounds)" 100
cairn fit boost @wine --rounds 7 --format json --quiet | value boost.rounds
cairn fit boost @weather --format json --quiet | value boost.rounds
cairn fit --full boost @wine --quiet | grep -A2 'part by part'
printf 's,y\n' > s.csv
for i in 1 2 3 4 5 6; do printf 'a b a b,u\nb b a a,v\n'; done >> s.csv
cairn fit --full recurrent s.csv --kinds s=sequence --target y --quiet | grep 'outputs read'
cairn fit --full recurrent s.csv --kinds s=sequence --target y --reading last --quiet | grep 'outputs read'

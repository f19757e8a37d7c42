# SPDX-License-Identifier: MIT
# What newcomers type in the wrong place: each refusal says what to type.
printf 'a,b c,play\n1,x,no\n2,y,yes\n3,x,no\n4,y,yes\n' >"my table.csv"
cairn "my table.csv"; echo "exit $?"
cairn @iris; echo "exit $?"
cairn predict bayes @weather; echo "exit $?"
cairn fit tree --data @weather; echo "exit $?"
cairn convert @weather --out weather.csv; echo "exit $?"
cairn predict --model m.cairn; echo "exit $?"
cairn predict m.cairn @weather --probabilities; echo "exit $?"
cairn fit; echo "exit $?"
cairn draw residuals @diabetes --fit linear; echo "exit $?"
# an option that can be pasted: the name has a blank
{ echo 'value,customer code'; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "$((i % 3)),r$i x"; done; } >rows.csv
cairn describe rows.csv | sed -n '/Note/,/^$/p'
# short help ends no sentence in the middle without saying so; a long default is cut
cairn help impurity | sed -n '/^option/,/^$/p'
cairn help percentiles | sed -n '/--percents/p'
# the quality of a line stands before coefficients that fill the screen
cairn fit linear @diabetes | grep 'R²'
# the words of a topic are its lessons
cairn lesson Decision tree | head -3
# what statisticians ask for
for words in 'two sample t-test' welch 'prediction interval' 'normality test' vif report; do cairn help $words | head -1; done

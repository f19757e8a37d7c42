# SPDX-License-Identifier: MIT
# other numbers from a seed; wrong answers, answers that are no numbers
cairn lesson --full entropy-curve --turn --seed 7 --answer entropy=0.696
cairn lesson --full entropy-curve --turn --seed 7 --answer entropy=0.5 >wrong.txt 2>&1
echo "code $?"
grep -c wrong wrong.txt
cairn lesson --full entropy-curve --turn --answer entropy=half 2>&1
cairn lesson --full entropy-curve --turn --answer gini=0.5 2>&1
cairn lesson --full losses-of-a-margin --turn 2>&1
cairn lesson --full least-squares-line --turn --seed 3 --ask </dev/null

# SPDX-License-Identifier: MIT
# other numbers from a seed; wrong answers, answers that are no numbers
cairn lesson --full pis-entropy-curve --turn --seed 7 --answer entropy=0.696
cairn lesson --full pis-entropy-curve --turn --seed 7 --answer entropy=0.5 >wrong.txt 2>&1
echo "code $?"
grep -c wrong wrong.txt
cairn lesson --full pis-entropy-curve --turn --answer entropy=half 2>&1
cairn lesson --full pis-entropy-curve --turn --answer gini=0.5 2>&1
cairn lesson --full fla-a-loss-functions --turn 2>&1
cairn lesson --full kri-a-ch7-slr --turn --seed 3 --ask </dev/null

# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
# No line separates these classes, and no hard margin exists.
said fit svm @xor --kernel linear --c inf --scale none
said fit svm @fisher-points --kernel linear --c inf --scale none
cairn fit --full svm @margin-three --kernel linear --c inf --scale none --steps
# Every intercept of an interval is optimal; the options take one of them.
for from in free midpoint first; do
  cairn fit --full svm @fisher-points --kernel linear --c 1 --scale none --bias-from $from | grep 't in'
done
cairn fit --full svm @soft-margin --kernel linear --c 1 --scale none --slack-power 2 | grep -E 'soft error|primal|dual'
cairn fit --full svm @tube --kernel linear --epsilon 0.3 --scale none --save tube.cairn --steps | sed -n '/Steps/,/Machines/p'
cairn draw svm tube.cairn
cairn fit svm @iris --save iris.cairn > /dev/null 2>&1
said draw svm iris.cairn
cairn fit svm @xor --kernel poly --offset 1 --c inf --scale none --save xor.cairn > /dev/null 2>&1
printf 'x,y\n0.5,0.5\n' > middle.csv
cairn predict xor.cairn middle.csv --explain
cairn predict iris.cairn @iris --explain --full --rows 71 | sed -n '/Machines/,$p'

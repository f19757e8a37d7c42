# SPDX-License-Identifier: MIT
# Distances in the space of the kernel: scikit-learn's scores over the length of w, of pairs the least.
printf 'a,b,y,z\n0,0,no,A\n1,0,no,A\n0,1,no,B\n2,2,yes,B\n3,2,yes,C\n2,3,yes,C\n1,1,yes,B\n' > rows.csv
told() {
  cairn fit svm rows.csv "$@" --scale none --c 2 --tolerance 1e-10 --save svm.cairn > /dev/null 2>&1
  cairn predict svm.cairn rows.csv --output label,scores,distance --format text 2> /dev/null | sed -n '/^row/,$p'
}
told --kernel rbf --gamma 0.5 --target y --ignore z
told --kernel linear --target y --ignore z
told --kernel rbf --gamma 0.5 --target z --ignore y
told --kernel rbf --gamma 0.5 --classes rest --target z --ignore y
cairn fit svm rows.csv --target b --ignore y,z --save svm.cairn > /dev/null 2>&1
cairn predict svm.cairn rows.csv --output distance 2>&1 || echo "exit $?"
# What other calculators read: the old heading and the new one.
cairn evaluate perceptron @fisher-points --by loo --out judged.csv > /dev/null 2>&1
head -2 judged.csv
cairn compute roc judged.csv | grep -i 'area'
sed 's/score(/p(/g' judged.csv | cairn compute roc - | grep -i 'area'
# Probabilities on request, and those of a learner inside another.
for learner in discriminant "discriminant --probabilities" "cost-sensitive --learner bayes" "cost-sensitive --learner perceptron"; do
  cairn fit $learner @fisher-points --save m.cairn > /dev/null 2>&1
  cairn predict m.cairn @fisher-points --output scores 2> /dev/null | head -1
done

# SPDX-License-Identifier: MIT
# What cannot be done is told with what to do instead.
cairn fit logistic @fisher-points --lambda much || echo "exit $?"
cairn fit logistic @fisher-points --lambda 1 --penalty none || echo "exit $?"
cairn fit logistic @three-classes-mixed --logit-sign - || echo "exit $?"
cairn fit logistic @fisher-points --where "row() < 12" --if-separable fail || echo "exit $?"
cairn fit logistic @fisher-points --lambda cv --folds 20 || echo "exit $?"
cairn fit logistic @fisher-points --class-weight 1,2,3 || echo "exit $?"
cairn fit logistic @fisher-points --init 1,2 || echo "exit $?"
cairn fit logistic @fisher-points --solver ascent --penalty l1 || echo "exit $?"

# SPDX-License-Identifier: MIT
# KIND/NAME is the entry of that kind and name, where several things have the name.
first() { cairn help "$@" 2>&1 | head -1; }
for at in draw/roc picture/roc pictures/roc compute/roc calculator/roc learner/tree fit/tree draw/tree \
    transform/pca compute/pca data/iris lesson/shapley-line verb/fit format/csv resampling/cv; do
    echo "$at: $(first $at)"
done
first picture roc
first learner/tre
first nokind/roc
cairn help draw/roc --format man | head -1

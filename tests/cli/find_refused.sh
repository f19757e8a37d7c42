# SPDX-License-Identifier: MIT
# A name that others use is answered with the one that is used here.
cairn fit random-forest @iris
cairn fit decision-tree @iris
cairn compute gini
cairn compute bayes
cairn compute hypotheses
cairn compute probability
cairn fit apriori @baskets
cairn fit tree @iris --with z-score
cairn evaluate tree @iris --by cross-validation
cairn evaluate tree @iris --measure sensitivity
cairn train tree @iris
cairn iris
cairn fit bayees @iris
exit 0

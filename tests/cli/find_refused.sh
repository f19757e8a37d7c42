# SPDX-License-Identifier: MIT
# A name that others use is answered with the one that is used here.
cairn fit --full random-forest @iris
cairn fit --full decision-tree @iris
cairn compute gini
cairn compute bayes
cairn compute hypotheses
cairn compute probability
cairn fit --full apriori @baskets
cairn fit --full tree @iris --with z-score
cairn evaluate --full tree @iris --by cross-validation
cairn evaluate --full tree @iris --measure sensitivity
cairn train --full tree @iris
cairn iris
cairn fit --full bayees @iris
exit 0

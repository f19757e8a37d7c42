# SPDX-License-Identifier: MIT
# Rows of a class that the model does not know are wrong; probabilities are judged without them.
cairn convert @iris two.csv --where 'species != "virginica"' --quiet
cairn fit tree two.csv --target species --save two.cairn --quiet
cairn evaluate two.cairn @iris --measure auc,brier,log-loss --format json |
    grep -E '^    "(measure\.)?(auc|brier|log.loss)": '
cairn evaluate two.cairn @iris | grep -A1 'as wrong'

# SPDX-License-Identifier: MIT
# A forest with its out-of-bag error, importances and prototypes.
cairn fit --full forest @iris --target species --trees 50 --importance permutation --prototypes 10 \
    --outliers 2 --interactions 2 | sed '/^Out-of-bag error by/,/trees$/d'

# SPDX-License-Identifier: MIT
# predictions of their own for nearly every row: parts of the squared error by the hull
cairn evaluate bayes @iris --features petal_length,petal_width --measure kappa,mcc,average-precision --format json | grep -E '^ *"(brier|measure)'
# a table of costs moves the thresholds as the costs of the two errors do
cairn evaluate bayes @weather --by cv:5 --costs "0,1;5,0" --positive yes --format json | grep -E '^ *"threshold'
cairn evaluate bayes @weather --by cv:5 --cost-fp 1 --cost-fn 5 --positive yes --format json | grep -E '^ *"threshold'
# right and wrong answers are not what areas are about
cairn compare --full bayes tree --on @iris --measure auc | grep -c McNemar
cairn compare --full bayes tree --on @iris | grep -c McNemar
cairn compare majority bayes tree --on @iris --format json | grep -E "^ *.*(holm|significant)"

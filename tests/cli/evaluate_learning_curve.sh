# SPDX-License-Identifier: MIT
cairn evaluate --full tree @iris --by cv:5 --learning-curve 4 --threads 1 >one
cairn evaluate --full tree @iris --by cv:5 --learning-curve 4 --threads 4 >four
cmp one four && sed -n '/Any two/,/^$/p;/Learning curve/,/^Learning curve/p' one
cairn evaluate --full tree @iris --learning-curve 0.5,0.2

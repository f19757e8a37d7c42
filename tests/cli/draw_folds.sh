# SPDX-License-Identifier: MIT
cairn draw folds --by cv:4,shuffle=no --rows 16
cairn draw folds @weather --by holdout:0.3,validation=0.2 --out folds.svg && grep -c "<svg" folds.svg
cairn draw folds --by cv:1000,shuffle=no --rows 1000

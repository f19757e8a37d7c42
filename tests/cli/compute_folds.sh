# SPDX-License-Identifier: MIT
# the rows of every split by name: samples of a bootstrap, folds, parts set aside
cairn compute folds --names A,B,C,D,E --by boot:4,size=0.4,urn=2 --steps
cairn compute folds @weather --by boot:3 --steps
cairn compute folds @weather --by cv:3 --format json | grep '"split1'
cairn compute folds --rows 6 --by holdout:0.3,validation=0.2,shuffle=no
cairn compute folds --names A,B,C --classes +,+,- --by boot:2 --out -
cairn compute folds --names A,B,C --classes +,-
cairn compute folds --names A,B,C --rows 4
cairn compute folds @weather --names A,B
cairn compute folds --names A
cairn draw folds --names A,B,C,D,E --by boot:2

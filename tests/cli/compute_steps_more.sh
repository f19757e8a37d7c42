# SPDX-License-Identifier: MIT
work() { cairn compute "$@" --steps | sed -n '/^Step 1/,$p' | sed '/[│┤└]/d'; }
work class-weights @scores-three
work multiclass-auc --areas 0.9,0.8,0.7 --sizes 10,20,30
cairn compute multiclass-auc --areas 0.9,0.8 --sizes 1,2,3 2>&1
cairn compute multiclass-auc --areas 0.9,1.8 2>&1
work multiclass-auc @scores-three
work coverage-scores @coverage-counts --fires '1,0,1;1,1,1'
work interval --errors 12 --n 40 --level 0.95
work distribution t --parameters 9 --at 2.26 --upper 0.025
work contingency --table '20,5;10,15'
work threshold @spam-scores --positive spam --cost-fp 2
work expected-accuracy --segments ++--+-
work loss --margins -1,0.5
work modality @mixture
work frequency @mixture --bin-width 2
work correlation-ratio @iris --column petal_length --by species
work bias-variance --formula 'sin(6*x)' --learner tree --over max-depth=1,2 --samples 5
work multiclass-auc --pair-areas '0,0.9,0.8;0.7,0,0.6;0.9,0.8,0' --sizes 10,20,30
cairn compute multiclass-auc --areas 0.9,0.8 --pair-areas '0,0.9,0.8;0.7,0,0.6;0.9,0.8,0' 2>&1
cairn compute multiclass-auc --pair-areas '0,0.9;1.7,0' 2>&1

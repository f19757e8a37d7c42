# SPDX-License-Identifier: MIT
work() { cairn compute "$@" --steps | sed -n '/^Step 1/,$p' | sed '/^ROC curve/,$d;/^Calibration/,$d'; }
work confusion --tp 40 --fn 10 --fp 5 --tn 45 --cost-fp 2
cairn compute confusion --tp 40 --fn 10 --fp 5 | sed '/^Which/,$d'
cairn compute confusion --relevant 50 --retrieved 45 --found 40 --format json | grep -E '^    "(f|precision|accuracy|tn)":'
cairn draw confusion --tp 40 --fn 10 --fp 5 2>&1
work confusion --table '8,1,0;2,6,1;0,3,9'
work f-measure --precision 0.5 --recall 0.8 --beta 2
work errors --values 1,2,3 --predictions 1.1,1.9,3.5
work roc --segments '[20+,5-][10+,5-][20+,40-][5+,1-]'
work brier --segments '[20+,40-][10+,5-]' --smooth laplace
work brier --vector 0.7,0.2,0.1 --actual 2
work smoothing --counts 8,2,0 --smooth m:5 --classes a,b,c
work calibrate @weight-diabetes --method all --at 80

# SPDX-License-Identifier: MIT
printf 'x,w,y\n1,0.2,a\n2,0.3,b\n3,0.2,a\n4,0.3,b\n' > shares.csv
cairn fit --full linear shares.csv --target x --weight w --features y | grep -c Weights
cairn fit --full logistic @titanic --target survived --class-weight balanced | sed -n '/Classes are weighted/,/^$/p'

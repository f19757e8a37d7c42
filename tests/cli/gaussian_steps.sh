# SPDX-License-Identifier: MIT
# Steps of gaussian: each covariance once; where cells are missing the means are those of EM.
cairn fit gaussian @fisher-points --covariance own --steps --quiet | grep -E '^ *(S of|Covariance)'
printf 'x,y,class\n1,2,a\n2,,a\n3,3,a\n4,6,b\n,5,b\n6,7,b\n' >gaps.csv
cairn fit gaussian gaps.csv --target class --steps --quiet | grep -A 1 'μ_k = '

# SPDX-License-Identifier: MIT
# Steps of gaussian: each covariance once; where cells are missing the means are those of EM; the
# quadratic boundary and its points with their numbers put in.
cairn fit --full gaussian @fisher-points --covariance own --steps --quiet | grep -E '^ *(S of|Covariance)'
printf 'x,y,class\n1,2,a\n2,,a\n3,3,a\n4,6,b\n,5,b\n6,7,b\n' >gaps.csv
cairn fit --full gaussian gaps.csv --target class --steps --quiet | grep -A 1 'μ_k = '
printf 'x,y,k\n1,2,a\n2,1,a\n3,4,a\n3,5,a\n6,1,b\n10,0,b\n11,2,b\n2,3,b\n' >two.csv
cairn fit --full gaussian two.csv --target k --features x --covariance own --steps --quiet | sed -n '/xᵀQx/,/^Boundary/p'
cairn fit --full gaussian two.csv --target k --features x --covariance own --positive a --steps --quiet | grep -E '^ +(D|x.) = '
cairn fit --full gaussian two.csv --target k --covariance own --steps --quiet | sed -n '/^ *Q(x, x)/,/= 0$/p'
cairn fit --full gaussian two.csv --target k --covariance diagonal --prior 0.9,0.1 --features y --steps --quiet | grep -A 2 -E '^ +(c|D) = '

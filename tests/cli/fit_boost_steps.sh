# SPDX-License-Identifier: MIT
# Boosting shows its rounds: residuals, tree, leaves with numbers put in, and the new sums.
cat > line.csv <<'END'
x,colour,y
1,red,2
2,blue,3
,red,5
4,green,4
5,blue,8
6,green,9
END
cairn fit --full boost line.csv --target y --rounds 2 --eta 0.5 --max-leaves 3 --min-leaf 1 --l1 0.5 --steps

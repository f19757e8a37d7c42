# SPDX-License-Identifier: MIT
# Normal classes that are typed: P(k | x), B(x) and the boundary follow from means, covariances and
# priors alone (0.61228 and 0.38772 worked out apart); mistakes name their place.
cat >rows.csv <<'EOF'
x,z,y
2,1,no
3,2,yes
0,1,no
EOF
cat >own.txt <<'EOF'
no:  mean 0, 0   covariance 2, 1; 1, 3      prior 0.6
yes: mean 4, 2   covariance 1, 0.5; 0.5, 1  prior 0.4
EOF
cairn fit gaussian rows.csv --target y --given own.txt --save own.cairn --format json | grep -oE '"(boundary.kind|boundary.constant|log_likelihood|typed)": [^,]*'
cairn predict own.cairn --row 'x=2,z=1' --output probabilities
printf 'no: mean 0, 0\nyes: mean 4, 2\nsigma 1, 2\n' >shared.txt
cairn fit gaussian rows.csv --target y --given shared.txt --steps --full | sed -n '/Step 1/,/Step 3/p'
printf 'no: mean 0\nyes: mean 4, 2\n' >short.txt
cairn fit gaussian rows.csv --target y --given short.txt
printf 'no: mean 0, 0\nmaybe: mean 4, 2\n' >class.txt
cairn fit gaussian rows.csv --target y --given class.txt
printf 'no: mean 0, 0 covariance 1, 2; 3, 4\nyes: mean 4, 2\n' >skew.txt
cairn fit gaussian rows.csv --target y --given skew.txt
printf 'no: mean 0, 0\nyes: mean 4, 2\ncovariance 1, 2; 2, 1\n' >negative.txt
cairn fit gaussian rows.csv --target y --given negative.txt
printf 'no: mean 0, 0 prior 0.7\nyes: mean 4, 2 prior 0.7\n' >priors.txt
cairn fit gaussian rows.csv --target y --given priors.txt
printf 'no: mean 0, 0 deviations 1, 1\nyes: mean 4, 2\n' >some.txt
cairn fit gaussian rows.csv --target y --given some.txt
printf 'no: mean 0, 0\n' >one.txt
cairn fit gaussian rows.csv --target y --given one.txt
printf 'no: mean 0, 0\nno: mean 0, 0\n' >twice.txt
cairn fit gaussian rows.csv --target y --given twice.txt
cairn fit gaussian rows.csv --target y --given own.txt --covariance own
cairn fit gaussian rows.csv --from own.cairn
true

# SPDX-License-Identifier: MIT
# Two classes by the binomial family: R's glm of a factor. Numbers 0 and 1 stay numbers.
said() { cairn "$@" 2>&1 || echo "exit $?"; }
printf 'x,y\n1,no\n2,no\n3,yes\n4,no\n5,yes\n6,yes\n7,no\n8,yes\n' > rows.csv
for link in logit probit cloglog; do
  cairn fit glm rows.csv --target y --family binomial --link $link --save $link.cairn --format json 2> /dev/null |
    python3 -c 'import json, sys; v = json.load(sys.stdin)["values"]; print(*("%.8f" % v[k] for k in ("coefficient.intercept", "coefficient.x", "se.x", "deviance", "aic")), v["positive"])'
done
cairn predict logit.cairn rows.csv --output class,probabilities,low,high 2> /dev/null | sed -n 1,3p
cairn export logit.cairn --to c --out logit.c 2> /dev/null
cc -w -DCAIRN_SELF_TEST -o logit logit.c -lm && ./logit
cairn evaluate --full glm rows.csv --target y --family binomial --by loo 2> /dev/null | grep -E '^accuracy|log loss|area'
sed 's/no/0/; s/yes/1/' rows.csv > numbers.csv
cairn fit --full glm numbers.csv --target y --family binomial 2> /dev/null | grep -E '^task|^deviance'
cairn fit one-vs-rest @iris --learner glm:family=binomial --format json 2> /dev/null | grep -o '"training.accuracy": *[0-9.]*'
said fit --full glm rows.csv --target y
said fit --full glm @iris --target species --family binomial

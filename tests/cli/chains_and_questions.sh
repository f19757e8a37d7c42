# SPDX-License-Identifier: MIT
# Which closed class a state is in; questions about numbers, and about all values but one.
cairn compute chain --states a,b,c,d --transitions '0.5,0.5,0,0;0.2,0.8,0,0;0,0,1,0;0.1,0.1,0.1,0.7' \
    --format json | grep -e '"class\.' -e '"stationary'
cairn compute joint @titanic --query 'P(survived=1 | age > 30)' --quiet | tail -1
printf 'n1 = v0/v1/v2\nn1 -> a\nP(n1 = v0) = 0.2\nP(n1 = v1) = 0.3\nP(n1 = v2) = 0.5\nP(a | n1 = v0) = 0.1\nP(a | n1 = v1) = 0.5\nP(a | n1 = v2) = 0.9\n' >net.txt
cairn compute network net.txt --query 'P(a | not n1 = v0)' | tail -1

# SPDX-License-Identifier: MIT
# Weights that are given, the list of what adds to a score, distances, and what cannot be done.
printf 'email,x1,x2,spam\n1,1,1,1\n2,0,0,0\n3,1,0,0\n4,0,1,0\n' > mail.csv
printf 'intercept = -5\nx1 = 4\nx2 = 4\n' > weights.txt
cairn fit --full perceptron mail.csv --target spam --positive 1 --id email --given weights.txt --save spam.cairn
cairn predict spam.cairn mail.csv --output label,scores,distance
cairn predict spam.cairn mail.csv --explain --where "email = 1 or email = 3"
cairn export spam.cairn --to text
cairn fit --full perceptron mail.csv --target spam --order given || echo "exit $?"
cairn fit --full perceptron mail.csv --target spam --order given --visit 1-9 || echo "exit $?"
cairn fit --full perceptron mail.csv --target spam --update mistake --unit linear || echo "exit $?"
cairn fit --full perceptron mail.csv --target spam --id email --update batch --unit linear --eta 50 --epochs 5000 || echo "exit $?"
printf 'x,y,class\n0,0,a\n0,1,b\n1,0,b\n1,1,a\n' > xor.csv
cairn fit --full perceptron xor.csv --target class --epochs 3 --quiet 2>&1 | tail -3

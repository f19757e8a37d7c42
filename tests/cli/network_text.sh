# SPDX-License-Identifier: MIT
# Weights as text: written, read as they are, begun with; and steps of the first update.
printf 'i1,i2,T1,T2\n0.05,0.1,0.01,0.99\n0.25,0.18,0.23,0.79\n' > rows.csv
printf 'h1 = sigmoid(0.35 + 0.15*i1 + 0.2*i2)\nh2 = sigmoid(0.35 + 0.25*i1 + 0.3*i2)\no1 = sigmoid(0.6 + 0.4*h1 + 0.45*h2)\no2 = sigmoid(0.6 + 0.5*h1 + 0.55*h2)\n' > net.txt
cairn fit network rows.csv --target T1,T2 --start net.txt --eta 0.5 --epochs 1 --order given --scale none --steps --quiet | sed -n '/^Step 1.2/,/^Step 1.3/p'
cairn fit network @iris --hidden 2 --solver plain --activation tanh --hold-out 0 --epochs 2 --save m.cairn --quiet > /dev/null
cairn export m.cairn --to text --out m.txt --quiet
cat m.txt
cairn fit network @iris --given m.txt --scale standardise --save n.cairn --quiet > /dev/null
cairn export n.cairn --to text --out n.txt --quiet
cmp m.txt n.txt && echo 'the same weights'
cairn predict m.cairn @iris --quiet > a
cairn predict n.cairn @iris --quiet > b
cmp a b && echo 'the same answers'
printf 'h1 = tanh(x)\no = 10 + 2*h1\n' > net.txt
printf 'x,t\n0,9\n1,12\n' > few.csv
cairn fit network few.csv --target t --task regress --given net.txt --save g.cairn --quiet > /dev/null
cairn predict g.cairn few.csv --quiet
cairn fit network @iris --hidden 3 --epochs 5 --hold-out 0.3 --save c.cairn --quiet > /dev/null
cairn draw training c.cairn --out c.svg --quiet && grep -o 'rows held out' c.svg | head -1
cairn draw training g.cairn --out g.svg || true

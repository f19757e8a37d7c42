# SPDX-License-Identifier: MIT
# Hidden Markov models: two stories, numbers, files, and what is refused.
cairn compute hmm-sample --story coins --length 8 --steps --seed 2
cairn compute hmm-sample --story urns --length 3 --seed 2 --out urns.csv > /dev/null
cat urns.csv
printf 'states low high\nstart 1 0\nfrom low 0.5 0.5\nfrom high 0.5 0.5\nmean low 0 0\nmean high 10 -10\ncovariance low 1 1\ncovariance high 1 0.5 0.5 1\n' > m.txt
cairn compute hmm-sample --given-file m.txt --length 4 --out x.csv > /dev/null
head -n 1 x.csv
cairn compute hmm-sample
cairn compute hmm-sample --story coins --given-file m.txt
cairn compute hmm-sample --given 'states a b; from a 1 0; from b 1 0'
cairn compute hmm-sample --given 'states a; symbols x y; from a 1; emit a 0.5 0.4'
cairn compute hmm-sample --given 'states a; symbols x y; from a 1; emit a 1'
cairn compute hmm-sample --given 'states rain; symbols x; from rain 1; emit rian 1'
cairn compute hmm-sample --given-file none.txt
cairn draw hmm --story urns --emissions urns --out u.svg
grep -o '>[a-z0-9.]*</text>' u.svg | sort | uniq -c | sed 's/^ *//'
cairn draw hmm --given-file m.txt --out n.svg
cairn draw hmm --story coins --out c.svg
grep -o '>[A-Za-z0-9.]*</text>' c.svg | head -n 20
cairn draw hmm --given 'states a; from a 1' --out none.svg
exit 0

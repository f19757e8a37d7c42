# SPDX-License-Identifier: MIT
# Bayes' theorem, odds and posteriors of a proportion: what they show and what they refuse.
cat >bags.csv <<'END'
bag,prior,lime,cherry
sour,0.5,0.9,0.1
mixed,0.5,0.5,0.5
END
cairn compute bayes-theorem bags.csv --observed cherry,lime*2 --steps
cairn compute bayes-theorem --prior 0.4,0.3,0.3 --likelihood '1,0;0,1;0,1' --outcomes plus,minus --observed '' | tail -n 3
cairn compute bayes-theorem --likelihood '0.5;2'
cairn compute bayes-theorem --likelihood '0.7,0.7;0.5,0.5'
cairn compute bayes-theorem --likelihood '0.5;0.5' --prior 0.5,0.6
cairn compute bayes-theorem --likelihood '0.5;0.5' --prior 0.5,0.4,0.1
cairn compute bayes-theorem --likelihood '0;0'
cairn compute bayes-theorem --likelihood '0.5;0.5' --observed lime
cairn compute bayes-theorem --prior 0.1 --likelihood 0.9 --evidence 0.01
cairn compute bayes-theorem --likelihood '0.9;0.05' --outcomes pos,neg --observed pos | head -n 8
cairn compute bayes-theorem
cairn compute odds --prior 0.2:0.8 --evidence 20/100:5/100 --evidence seen=0:1
cairn compute odds --evidence x=0:0
cairn compute odds --prior 0.2 --evidence 4 | tail -n 2
cairn compute odds
cairn compute odds --prior 0 --evidence 1:0
cairn compute beta --seen 0/3,0/0 --prior 0.5,0.5 --draws 3 --format json | grep -E '"(posterior|draw)'
cairn compute beta --seen 1/2,9/10 --between 0.2,0.5 --steps | grep 'P(0.2'
cairn compute beta --seen 5/3
cairn compute beta --seen 3
cairn compute beta --seen 1/2 --prior 0,1
cairn compute beta --seen 1/2 --between 0.9,0.1
cairn compute information --p 1,0,1/8 --log 10 --steps
cairn compute information --p 5/4
cairn compute information
cairn compute information --likelihood '0;0' --outcomes never | tail -n 8
exit 0

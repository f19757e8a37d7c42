# SPDX-License-Identifier: MIT
# What a page has that could be read in another sense: recognised and said, or refused.
say() { echo "> $*"; cairn "$@" 2>&1 | grep -E "${only:-.}" | head -${lines:-6}; }
only='cairn:|^area|AUC|^Note|takes low' lines=8
say compute roc @ranking
say compute roc @ranking --low no
say compute roc --low @ranking
printf 'rank_of_mail,class\n3,a\n1,b\n2,a\n4,b\n' >ranks.csv
say compute roc ranks.csv --target class --positive b
only='cairn:|difference|^ .*nb_|^statistic'
say compute t-test @cv-differences
say compute t-test @cv-differences --columns results
say compute wilcoxon @cv-differences
printf 'a,b\n0.1,-0.2\n-0.3,0.4\n0.2,0.1\n-0.1,0.3\n' >signs.csv
say compute t-test signs.csv
printf 'a,b,rank_a,rank_b\n0.1,0.2,1,2\n0.3,0.1,2,1\n0.5,0.4,2,1\n' >beside.csv
say compute wilcoxon beside.csv
only='cairn:|^class|P\(|^1, 1' lines=6
say compute naive-bayes @emails-parameters --x 1,1,0
say compute naive-bayes @fauna-conditionals --x 0,1,0,0,0,1,0,0,1
say compute naive-bayes --theta '0.4,0.21;0.12,0.13' --classes spam,spam --x 1,1
printf 'set,class,a,b\nu,x,0.1,0.2\nv,x,0.3,0.4\nu,y,0.5,0.6\nv,y,0.1,0.1\n' >twice.csv
say compute naive-bayes twice.csv --x 1,1
say compute multiclass-auc @confusion-three
say compute em @iris
say compute em @hidden-classes --cells a=1
say compute edit @iris
only=
say compute bayes-theorem --prior 0.3,0.5,0.2 --likelihood 0.015,0.010,0.020
say compute chain @stock-chain
say compute coverage-scores @coverage-counts
say compute posterior @spam-posterior
say compute decode @output-code --scores 5,-0.5,4,-0.5,4,0.5 --matrix 1

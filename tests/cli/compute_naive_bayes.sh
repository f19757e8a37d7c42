# SPDX-License-Identifier: MIT
# given probabilities: bits with and without absent words, counts, priors, refusals
cairn compute naive-bayes --theta '0.4,0.21;0.12,0.13' --classes spam,ham --words viagra,lottery --x '1,0;1,1' --prior 0.4,0.6 --table-odds 4,0.6 --steps
cairn compute naive-bayes --theta '0.5,0;0.25,0' --x '1,0;0,1' --absent ignore
cairn compute naive-bayes @emails-parameters --where 'model = "multinomial"' --model multinomial --x 3,1,0 --quiet
cairn compute naive-bayes --theta '0.2,0.3,0.5;0.1,0.1,0.8;0.6,0.2,0.2' --model multinomial --x 40,30,2 --no-coefficient
cairn compute naive-bayes --x 1,0
cairn compute naive-bayes --theta '0.5,1.5' --x 1,0
cairn compute naive-bayes --theta '0.5,0.5;0.1,0.2' --x 1,0,1
cairn compute naive-bayes --theta '0.5,0.5;0.1,0.2' --x 1,2
cairn compute naive-bayes --theta '0.5,0.5;0.1,0.2' --x 1,1 --prior 1,-1
cairn compute naive-bayes --theta '0.5,0.5;0.1,0.2' --x 1,1 --classes a,b,c
cairn compute naive-bayes --theta '0.4,0.21;0.12,0.13' --x 0,0 --prior 0.4,0.7

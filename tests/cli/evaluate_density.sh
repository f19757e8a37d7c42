# SPDX-License-Identifier: MIT
# How probable models make rows that were held out, and their description lengths.
printf 's\na b a b a\nb b a\na a b a b b\nb a\n' > seq.csv
cairn evaluate --full markov-chain seq.csv --kinds s=sequence --by loo --measure log-likelihood,perplexity
cairn fit --full markov-chain seq.csv --kinds s=sequence --save chain.cairn --quiet
cairn evaluate --full chain.cairn seq.csv --kinds s=sequence --measure log-likelihood,perplexity | grep -A 4 '^measure'
cairn fit --full markov-chain seq.csv --kinds s=sequence | grep -E 'likelihood|parameters|AIC|BIC'
cairn compute description-length seq.csv --kinds s=sequence --learners 'markov-chain;markov-chain:chain-order=0;hmm:states=1'
# steps that are rows: what each is worth after those before it
printf 'states s t\nstart 0.6 0.4\nfrom s 0.7 0.3\nfrom t 0.4 0.6\nmean s 0\nmean t 3\ncovariance s 1\ncovariance t 4\n' > m.txt
printf 'x\n0.5\n2\n?\n-1\n4\n' > x.csv
cairn fit --full hmm x.csv --given m.txt --max-iter 0 --save x.cairn --quiet
cairn predict x.cairn x.csv --output log_likelihood,steps
cairn evaluate --full x.cairn x.csv --measure log-likelihood,perplexity
# a scaling is taken back
cairn evaluate --full mixture @iris --ignore species --components 1 --measure log-likelihood
cairn evaluate --full mixture @iris --ignore species --components 1 --measure log-likelihood --with standardise
cairn evaluate --full kmeans @iris --ignore species --clusters 3 --measure log-likelihood
cairn tune --full mixture @iris --ignore species --over components=1:3 --by cv:5 --measure log-likelihood
printf 's\na b\na c\na b\n' > odd.csv
cairn evaluate --full hmm odd.csv --kinds s=sequence --by loo --measure log-likelihood --starts 1
cairn evaluate --full gaussian @iris --target species | grep -A 1 log-likelihood
cairn evaluate --full gaussian @iris --target species --with standardise | grep -A 1 log-likelihood
cairn fit --full gaussian @iris --target species --covariance own --save own.cairn --quiet
cairn evaluate --full own.cairn @iris | grep log-likelihood
cairn evaluate --full bayes-net @weather --ignore play --structure tree --by cv:7 --measure log-likelihood | grep -A 2 '^measure'

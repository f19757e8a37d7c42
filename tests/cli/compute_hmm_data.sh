# SPDX-License-Identifier: MIT
# the sequences of a data file under a typed or saved hidden Markov model; ln P of Viterbi paths
M='states fair loaded; symbols H T; start 0.6 0.4; from fair 0.7 0.3; from loaded 0.4 0.6; emit fair 0.5 0.5; emit loaded 0.8 0.2'
N='states low high; from low 0.9 0.1; from high 0.2 0.8; mean low 0; covariance low 1; mean high 5; covariance high 4'
printf 'tosses\n"H H T"\n"T"\n"H H H H"\n' > tosses.csv
printf 'toss\nH\nT\nH\nH\n' > rows.csv
cairn compute hmm --given "$M" tosses.csv --kinds tosses=sequence | sed '/^Sequence 2/,$d'
cairn compute hmm --given "$M" rows.csv --iterations 1 | sed -n '/^Sequences/,/^Sequence 1/p'
cairn compute hmm --given "$N" @five-points --features x | sed -n '/^Sequences/,/^Sequence 1/p'
cairn compute hmm --given "$M" --given 'states a; symbols T H; from a 1; emit a 0.5 0.5' --names coins,one rows.csv
cairn fit hmm tosses.csv --kinds tosses=sequence --states 2 --smooth 1 --save coins.cairn --quiet
cairn compute hmm coins.cairn tosses.csv | sed -n '/^Sequences/,/^Sequence 1/p'
cairn predict coins.cairn tosses.csv --output path,log_path,log_likelihood
cairn draw trellis --given "$M" rows.csv
printf 'toss\nH\nX\n' > wrong.csv
cairn compute hmm --given "$M" wrong.csv
cairn compute hmm --given "$M" @iris
cairn compute hmm --given "$N" @iris
cairn compute hmm --given "$M" rows.csv --of 'H T'
cairn compute hmm --given "$M"
true

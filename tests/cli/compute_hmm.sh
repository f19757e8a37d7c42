# SPDX-License-Identifier: MIT
# Hidden Markov models: tables, paths and learning by Baum and Welch, numbers in place of symbols, steps that are missing, and what is refused.
M='states fair loaded; symbols H T; start 0.6 0.4; from fair 0.7 0.3; from loaded 0.4 0.6; emit fair 0.5 0.5; emit loaded 0.8 0.2'
cairn compute hmm --given "$M" --of 'H H T' --of 'T ? H' --iterations 3 --steps
cairn compute hmm --given 'states low high; from low 0.9 0.1; from high 0.2 0.8; mean low 0; covariance low 1; mean high 5; covariance high 4' --of '0.5 -1 ? 4 7' --iterations 2
cairn compute hmm --given "$M" --given 'states a; symbols T H; from a 1; emit a 0.5 0.5' --names coins,one --of 'H H H T' --of 'T T T'
cairn compute hmm --given 'states a b; symbols x y; start 1 0; from a 1 0; from b 0 1; emit a 1 0; emit b 0 1' --of 'x y x'
printf 'states a b\nsymbols x y\nfrom a 1/2 1/2\nfrom b 1/4 3/4\nemit a 1 0\nemit b 0 1\n' > model.txt
cairn compute hmm --given-file model.txt --of 'x y y' | tail -n 4
cairn compute hmm --of 'H'
cairn compute hmm --given "$M" --given-file model.txt --of 'H'
cairn compute hmm --given "$M"
cairn compute hmm --given "$M" --of ' '
cairn compute hmm --given "$M" --of 'H t'
cairn compute hmm --given 'states a b; from a 1 0; from b 0 1' --of 'a'
cairn compute hmm --given "$M" --given 'states a; symbols T X; from a 1; emit a 0.5 0.5' --of 'H'
cairn compute hmm --given "$M" --given "$M" --of 'H' --iterations 2
cairn compute hmm --given 'states a b; symbols x y; start 1 0; from a 1 0; from b 0 1; emit a 1 0; emit b 0 1' --of 'x y x' --iterations 1
cairn compute hmm --given 'states a; from a 1; mean a 1 2; covariance a 1 2 2 1' --of '1 2'
cairn compute hmm --given 'states a; from a 1; mean a 1 2; covariance a 1 1' --of '1 2 3'
cairn compute hmm --given 'states a; from a 1; mean a 1; covariance a 1' --of '1 x'
V='states low high; from low 0.9 0.1; from high 0.2 0.8; mean low 0 0; covariance low 1 0.5 0.5 1; mean high 5 5; covariance high 4 1 1 2'
cairn compute hmm --given "$V" --of '0.5,? ? ?,4 4,7' | sed -n '/^Posterior/,$p'
cairn compute hmm --given "$V" --of '50,? 4,7' | grep 'ln P'
cairn compute hmm --given "$V" --of '1,2 ? 3'
LONG=$(printf 'H T %.0s' $(seq 1000))
cairn compute hmm --given "$M" --of "$LONG" | tail -n +15
cairn compute hmm --given 'states low high; from low 0.9 0.1; from high 0.2 0.8; mean low 0; covariance low 1; mean high 5; covariance high 4' --of '1 1 1 7' --iterations 20 --floor 0.01 | sed -n '/^Normal/,$p' | tail -n +6

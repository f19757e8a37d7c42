# SPDX-License-Identifier: MIT
# Questions to Bayesian networks: elimination, samples, explanations, separation, and what is refused.
N='rain -> wet; sprinkler -> wet; P(rain) = 0.2; P(sprinkler) = 0.1; P(wet | rain) = 0.9; P(wet | not rain, sprinkler) = 0.8; P(wet | not rain, not sprinkler) = 0.01'
W='weather = sun/rain/snow; P(weather) = 0.6, 0.3, 0.1; P(late | weather = sun) = 0.1; P(late | weather = rain) = 0.3; P(late | weather = snow) = 0.8'
cairn compute network "$N" --query 'P(rain | wet)' --explain wet --separated 'rain, sprinkler | wet' --steps
cairn compute network "$W" --query 'P(weather | late)' --query 'P(weather = sun or weather = rain | not late)'
cairn compute network "$W" --query 'P(weather | late)' --method weighting --samples 20000 | tail -n 8
cairn compute network "$W" --query 'P(weather | late)' --method rejection --samples 20000 | tail -n 8
cairn compute network "$W" --draw 5 --out drawn.csv > drawn.txt; cat drawn.csv
printf '# two lines\nP(a) = 0.5\nP(b | a) = 0.25; P(b | not a) = 0.75\n' > two.txt
cairn compute network two.txt --query 'P(a | b)' | tail -n 1
cairn fit bayes-net @weather --quiet --save w.cairn > none.txt; cairn compute network w.cairn --query 'P(wind | play = yes)' | tail -n 4
cairn draw network w.cairn
cairn draw network "$N" --out n.svg; grep -c '<rect' n.svg
cairn fit majority @weather --quiet --save m.cairn > none.txt; cairn draw network m.cairn
cairn compute network 'a -> b; b -> c; c -> a'
cairn compute network 'P(a) = 0.5; P(b | a) = 0.2'
cairn compute network 'w = x/y/z; P(w) = 0.5, 0.2, 0.2'
cairn compute network 'P(a) = 1.5'
cairn compute network 'P(a) = 0; P(b | a) = 0.5; P(b | not a) = 0.5' --query 'P(b | a)'
cairn compute network "$N" --query 'P(rainn | wet)'
cairn compute network "$N" --query 'P(rain | wett)'
cairn compute network "$N" --separated 'rain, sprinklers'
cairn compute network "$N" --explain 'rain or wet'
cairn compute network "$N" --query 'P(rain and sprinkler | wet)' --method weighting
cairn compute network 'a -> b -> '
cairn compute network 'w = x/y; P(w = q) = 1'
cairn compute network missing.txt
cairn compute network "$W" --query 'P(weather = sunn)'
exit 0

# SPDX-License-Identifier: MIT
# The title has the parameters, the legend the probability up to the point of --at and above it; of
# few numbers that are counted to all are drawn.
cairn draw distribution binomial --parameters 10,0.25 --at 3 --out binomial.svg
grep -o '>binomial ([^<]*<\|>P(X [^<]*<\|>10<' binomial.svg
cairn draw distribution normal --at 1 --out normal.svg
grep -o '>normal ([^<]*<\|>P(X [^<]*<' normal.svg

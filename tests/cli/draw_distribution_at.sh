# SPDX-License-Identifier: MIT
# Numbers that are counted to: those up to the point of --at differ from those above it.
cairn draw distribution binomial --parameters 10,0.25 --at 3 --out binomial.svg
grep -o '>up to the point<\|>above it<' binomial.svg

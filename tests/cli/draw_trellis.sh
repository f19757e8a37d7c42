# SPDX-License-Identifier: MIT
# The trellis of a typed model and sequence: logarithms, names, what was seen; what is refused.
coins='states fair loaded; symbols H T; start 0.6 0.4; from fair 0.7 0.3; from loaded 0.4 0.6; emit fair 0.5 0.5; emit loaded 0.8 0.2'
cairn draw trellis --given "$coins" --of 'H ? T' --out t.svg
grep -o '>[^<>]*</text>' t.svg
cairn draw trellis --given 'states a b; symbols x y; start 1 0; from a 0 1; from b 0 1; emit a 1 0; emit b 0 1' --of 'x y y' --out zero.svg
grep -o '>[^<>]*</text>' zero.svg
cairn draw trellis --given "$coins" --of "$(seq 31 | sed 's/.*/H/' | tr '\n' ' ')" --out long.svg
cairn draw trellis --given "$coins" --of 'H X' --out none.svg
cairn draw trellis --given "$coins" --out none.svg
cairn draw trellis --of H --out none.svg
cairn draw trellis --given 'states low high; start 1 0; from low 0.5 0.5; from high 0.5 0.5; mean low 0 0; mean high 9 9; covariance low 1 1; covariance high 1 1' --of '0.5,1 3,1 9,-8' --out numbers.svg
grep -o '>[^<>]*</text>' numbers.svg | tail -n 3
cairn draw trellis --given "$(python3 -c 'n = 13; s = ["s%d" % i for i in range(n)]; u = " ".join(["1/13"] * n); print("; ".join(["states " + " ".join(s), "symbols x", "start " + u] + ["from %s %s" % (i, u) for i in s] + ["emit %s 1" % i for i in s]))')" --of 'x x' --out many.svg
exit 0

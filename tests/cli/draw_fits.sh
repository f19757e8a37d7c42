# SPDX-License-Identifier: MIT
cairn draw fits @iris --x petal_length --y petal_width --out fits.svg && grep -o "max-depth=[0-9]" fits.svg | sort -u
cairn compute generate formula --y "sin(6*x)" --sd 0.3 --rows 25 --no-truth --out s.csv >/dev/null 2>&1
cairn draw fits s.csv --target y --threads 1 --out one.svg --quiet
cairn draw fits s.csv --target y --threads 4 --out four.svg --quiet
cmp one.svg four.svg && grep -o "basis.degree=[0-9]" one.svg | sort -u
cairn draw fits @iris --learner tree

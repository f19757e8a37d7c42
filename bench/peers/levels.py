# SPDX-License-Identifier: MIT
"""A table for the bench: `OUT.csv`, 500,000 rows (or as many as are named) of 30 level columns of 2 to 200 levels, and a class
that depends on effects of the levels of ten of them and of pairs of two."""
import sys
import numpy as np

ROWS, COLUMNS = int(sys.argv[2]) if len(sys.argv) > 2 else 500000, 30
random = np.random.default_rng(11)
sizes = np.linspace(2, 200, COLUMNS).astype(int)
codes = np.column_stack([np.minimum((random.random(ROWS) ** 1.5 * n).astype(int), n - 1)
                         for n in sizes])
score = random.normal(size=ROWS)
for c in range(0, COLUMNS, 3):
    score += random.normal(size=sizes[c])[codes[:, c]]
score += random.normal(size=(sizes[1], sizes[4]))[codes[:, 1], codes[:, 4]]
labels = (score > np.median(score)).astype(int)
with open(sys.argv[1], "w") as out:
    out.write(",".join("c%d" % (c + 1) for c in range(COLUMNS)) + ",class\n")
    for row, label in zip(codes, labels):
        out.write(",".join("l%d" % code for code in row) + ",k%d\n" % label)

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Distances of all pairs against scipy: every distance that both have, several widths, weights, two
tables, written as condensed and square npy, to 1e-12 of the value; edit distances against a plain
dynamic program. Usage: bench/agree/distances.py [BUILD]; exit 0 when all agree."""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
failures, compared = [], 0


def ours(*words):
    done = subprocess.run([CAIRN, "compute", "distances", *words, "--out", "d.npy"],
                          capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: compute distances %s\n%s" % (" ".join(words), done.stderr))
    return np.load(os.path.join(FOLDER, "d.npy"))


def check(what, values, wanted):
    global compared
    compared += wanted.size
    same = values.shape == wanted.shape and np.allclose(values, wanted, rtol=1e-12, atol=1e-13)
    if not same:
        failures.append(what)
        print("%s: not the same" % what)


def edits(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(corner + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


draw = np.random.default_rng(5)
for n, width in [(40, 1), (75, 3), (150, 8), (120, 16), (90, 33), (50, 140)]:
    x, y = draw.normal(size=(n, width)), draw.normal(size=(n // 2, width))
    np.save(os.path.join(FOLDER, "x.npy"), x)
    np.save(os.path.join(FOLDER, "y.npy"), y)
    weights = draw.uniform(0, 2, width)
    listed = ["--weights", ",".join(repr(float(w)) for w in weights)]
    for name, metric, more in [("euclidean", "euclidean", {}), ("squared", "sqeuclidean", {}),
                               ("manhattan", "cityblock", {}), ("chebyshev", "chebyshev", {}),
                               ("minkowski:p=3", "minkowski", {"p": 3}),
                               ("minkowski:p=1.5", "minkowski", {"p": 1.5}),
                               ("canberra", "canberra", {}), ("cosine", "cosine", {})]:
        what = "%s %d x %d" % (name, n, width)
        check(what, ours("x.npy", "--distance", name, "--form", "condensed"), pdist(x, metric, **more))
        check(what + " square", ours("x.npy", "--distance", name, "--form", "matrix"),
              squareform(pdist(x, metric, **more)))
        check(what + " two", ours("x.npy", "y.npy", "--distance", name), cdist(x, y, metric, **more))
        if name not in ("canberra", "cosine", "chebyshev"):
            check(what + " weights", ours("x.npy", "--distance", name, "--form", "condensed", *listed),
                  pdist(x, metric, w=weights, **more))
    if width < n // 2 and width < 20:
        inverse = np.linalg.inv(np.atleast_2d(np.cov(x.T)))
        wanted = pdist(x, "mahalanobis", VI=inverse)
        got = ours("x.npy", "--distance", "mahalanobis", "--form", "condensed")
        check("mahalanobis %d x %d" % (n, width), np.round(got, 9), np.round(wanted, 9))
words = ["".join(draw.choice(list("abcdeé"), draw.integers(1, 90))) for _ in range(60)]
with open(os.path.join(FOLDER, "words.csv"), "w") as out:
    out.write("word\n" + "\n".join(words) + "\n")
check("edit", ours("words.csv", "--kinds", "word=text", "--distance", "edit", "--form", "condensed"),
      np.array([edits(words[i], words[j]) for i in range(60) for j in range(i + 1, 60)], float))
print("%d numbers compared, %d of the comparisons differ" % (compared, len(failures)))
sys.exit(bool(failures))

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Silhouettes of every row against scikit-learn, for several distances, numbers of clusters and a
matrix of distances, to 1e-9; the row itself counted, squares and weights by a plain calculation.
Usage: bench/agree/silhouettes.py [BUILD]; exit 0 when all agree."""
import atexit
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics import silhouette_samples

CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
failures, compared = [], 0


def ours(*words):
    """s of every row."""
    done = subprocess.run([CAIRN, "compute", "silhouette", *words, "--out", "rows.csv"],
                          capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: compute silhouette %s\n%s" % (" ".join(words), done.stderr))
    with open(os.path.join(FOLDER, "rows.csv")) as file:
        return np.array([float(row["s"]) for row in csv.DictReader(file)])


def write(name, matrix, head, *more):
    with open(os.path.join(FOLDER, name), "w") as out:
        out.write(",".join(head) + "\n")
        for row in zip(matrix, *more):
            out.write(",".join([repr(float(x)) for x in row[0]] + [str(x) for x in row[1:]]) + "\n")


def check(what, values, wanted, tolerance=1e-9):
    global compared
    compared += wanted.size
    away = np.max(np.abs(values - wanted)) if values.shape == wanted.shape else np.inf
    if not away <= tolerance:
        failures.append(what)
        print("%s: off by %g" % (what, away))


def plain(d, clusters, weights, itself):
    """By the definition; a weight is so many equal rows."""
    out = np.zeros(len(d))
    for i in range(len(d)):
        means = {}
        for k in np.unique(clusters):
            own = k == clusters[i]
            count = weights[clusters == k].sum() - (own and not itself)
            means[k] = (d[i] * weights)[clusters == k].sum() / count if count > 0 else np.nan
        a = means.pop(clusters[i])
        b = min(means.values())
        out[i] = 0 if np.isnan(a) or max(a, b) == 0 else (b - a) / max(a, b)
    return out


draw = np.random.default_rng(3)
for n, width, k in [(60, 2, 3), (500, 7, 4), (700, 30, 25), (300, 1, 2)]:
    x = draw.normal(size=(n, width)) + 2 * draw.normal(size=(1, width))
    clusters = np.concatenate([np.arange(k), draw.integers(0, k, n - k)])
    weights = draw.integers(1, 4, n)
    head = ["x%d" % j for j in range(width)]
    write("rows-in.csv", x, head + ["cluster", "weight"], ["k%d" % c for c in clusters], weights)
    table = ["rows-in.csv", "--clusters", "cluster", "--ignore", "weight"]
    for name, metric in [("euclidean", "euclidean"), ("manhattan", "cityblock"),
                         ("chebyshev", "chebyshev"), ("squared", "sqeuclidean")]:
        d = cdist(x, x, metric)
        check("%s %d x %d" % (name, n, width), ours(*table, "--distance", name),
              silhouette_samples(d, clusters, metric="precomputed"))
    d = cdist(x, x)
    ones = np.ones(n)
    check("itself", ours(*table, "--self"), plain(d, clusters, ones, True))
    check("squared", ours(*table, "--squared"), plain(d * d, clusters, ones, False))
    check("weights", ours("rows-in.csv", "--clusters", "cluster", "--weight", "weight"),
          plain(d, clusters, weights, False))
    write("matrix.csv", d, ["r%d" % i for i in range(n)])
    check("matrix", ours("matrix.csv", "--as", "distances", "--labels", ",".join(map(str, clusters))),
          silhouette_samples(d, clusters, metric="precomputed"))
print("%d silhouettes compared, %d cases off" % (compared, len(failures)))
sys.exit(bool(failures))

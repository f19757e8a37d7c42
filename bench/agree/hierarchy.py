#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Hierarchical clustering against scipy: the heights of all merges of random rows and of matrices of
distances for every linkage and several distances to 1e-9, the clusters of cuts, and the sum and the last
heights of larger tables, where rows are measured anew and single linkage is a spanning tree.
Usage: bench/agree/hierarchy.py [BUILD]; exit 0 when all agree."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist, squareform

CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
LINKAGES = ["single", "complete", "average", "weighted", "centroid", "median", "ward"]
EUCLIDEAN = {"centroid", "median", "ward"}  # what scipy makes of other distances is not meant
random = np.random.default_rng(1)
failures, compared = [], 0


def fit(rows, *options):
    path = os.path.join(FOLDER, "rows.npy")
    np.save(path, np.asarray(rows, float))
    done = subprocess.run([CAIRN, "fit", "hierarchy", path, "--scale", "none", "--format", "json", *options],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit("failed: cairn fit hierarchy %s\n%s" % (" ".join(options), done.stderr))
    return json.loads(done.stdout)["values"]


def check(what, ours, theirs):
    global compared
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    away = float(np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))))
    compared += theirs.size
    if not away <= 1e-9:
        failures.append(what)
        print("%s: off by %g" % (what, away))


def heights(values, n, first=1):
    return [values["merge%d.height" % i] for i in range(first, n)]


def same_partition(ours, theirs):
    """Whether two lists of labels put the same rows together."""
    pairs = set(zip(ours, theirs))
    return len(pairs) == len(set(ours)) == len(set(theirs))


def small(n, d):
    rows = random.normal(size=(n, d))
    for name, metric in [("euclidean", "euclidean"), ("manhattan", "cityblock"), ("chebyshev", "chebyshev")]:
        for kind in LINKAGES:
            if name != "euclidean" and kind in EUCLIDEAN:
                continue
            wanted = linkage(pdist(rows, metric), kind)
            values = fit(rows, "--linkage", kind, "--distance", name, "--clusters", "4")
            what = "%s %s of %d x %d" % (kind, name, n, d)
            check(what, heights(values, n), wanted[:, 2])
            if n <= 200 and values["inversions"] == 0:
                ours = [values["assign.%d" % i] for i in range(1, n + 1)]
                if not same_partition(ours, cut_tree(wanted, 4)[:, 0]):
                    failures.append(what + ", cut")
                    print("%s: another cut" % what)


def given(n):
    matrix = squareform(random.uniform(1, 100, size=n * (n - 1) // 2))
    for kind in ["single", "complete", "average", "weighted"]:
        values = fit(matrix, "--linkage", kind, "--as", "distances")
        check("%s of a matrix of %d" % (kind, n), heights(values, n), linkage(squareform(matrix), kind)[:, 2])


def large(n, d):
    rows = random.normal(size=(n, d)) + 3 * random.integers(0, 4, size=(n, 1))
    for kind in LINKAGES:
        wanted = linkage(rows, kind)[:, 2]
        values = fit(rows, "--linkage", kind)
        what = "%s of %d x %d" % (kind, n, d)
        check(what + ", last heights", heights(values, n, n - 50), wanted[n - 51:])
        check(what + ", sum", values["heights"] / wanted.sum(), 1)


for shape in [(5, 1), (30, 2), (120, 3), (200, 9), (700, 5)]:
    small(*shape)
given(40)
given(150)
large(6500, 4)
print("%d numbers compared, %d failures" % (compared, len(failures)))
sys.exit(1 if failures else 0)

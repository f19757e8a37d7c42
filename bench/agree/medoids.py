#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""k-medoids against R's package cluster: medoids and cost of `--method pam` are those of pam with its
original swaps, of rows and of given distances, and the cost of `--method eager` is not above that of
pamonce = 6 by more than the difference of two local optima, 1 %; the cost of samples is not above that
of clara. Kernel k-means against sums over all pairs by numpy: its partitions move no row.
Usage: bench/agree/medoids.py [BUILD]; exit 0 when all agree."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import numpy as np
from scipy.spatial.distance import cdist

CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
failures, compared = [], 0

PEER = """suppressMessages(library(cluster))
a <- commandArgs(TRUE); x <- as.matrix(read.csv(a[1])); k <- as.integer(a[3])
d <- dist(x, a[2])
p <- pam(d, k, diss = TRUE, pamonce = 0); q <- pam(d, k, diss = TRUE, pamonce = 6)
c <- clara(x, k, metric = a[2], pamLike = TRUE)
cat(sprintf('{"medoids": [%s], "pam": %.12g, "eager": %.12g, "clara": %.12g}',
    paste(sort(p$id.med), collapse = ","), p$objective[["swap"]] * nrow(x),
    q$objective[["swap"]] * nrow(x), c$objective * nrow(x)))
"""


def path(name):
    return os.path.join(FOLDER, name)


def fit(*words):
    done = subprocess.run([CAIRN, "fit", *words, "--format", "json"], capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: cairn fit %s\n%s" % (" ".join(words), done.stderr))
    return json.loads(done.stdout)["values"]


def check(what, holds):
    global compared
    compared += 1
    if not holds:
        failures.append(what)
        print("not so:", what)


def write(name, x):
    head = ",".join("c%d" % j for j in range(x.shape[1]))
    np.savetxt(path(name), x, fmt="%.17g", delimiter=",", header=head, comments="")


def medoids(values, k):
    return sorted(int(values["cluster%d.medoid" % (c + 1)]) for c in range(k))


def compare_medoids(x, metric, k, name):
    write("rows.csv", x)
    np.save(path("pairs.npy"), cdist(x, x, "cityblock" if metric == "manhattan" else "euclidean"))
    answer = subprocess.run(["Rscript", "--vanilla", "-e", PEER, path("rows.csv"), metric, str(k)],
                            capture_output=True, text=True, check=True)
    theirs = json.loads(answer.stdout)
    common = ["--clusters", str(k)]
    rows = ["kmedoids", "rows.csv", "--distance", metric, "--scale", "none", *common]
    for way, words in (("rows", rows), ("distances", ["kmedoids", "pairs.npy", "--as", "distances", *common])):
        ours = fit(*words, "--method", "pam")
        check("%s: cost of pam from %s" % (name, way), abs(ours["cost"] / theirs["pam"] - 1) < 1e-9)
        check("%s: medoids of pam from %s" % (name, way), medoids(ours, k) == theirs["medoids"])
        ours = fit(*words, "--method", "eager")
        check("%s: cost of eager from %s" % (name, way), ours["cost"] <= theirs["eager"] * 1.01)
    ours = fit(*rows, "--method", "sample")
    check("%s: cost of samples" % name, ours["cost"] <= theirs["clara"] * (1 + 1e-9))


def scores(gram, codes, k, mean):
    """Of every row and cluster: average distance, or squared distance to the mean."""
    out, own = np.full((len(gram), k), np.inf), np.diag(gram)
    apart = np.sqrt(np.maximum(own[:, None] - 2 * gram + own[None, :], 0))
    for c in range(k):
        i = codes == c
        if i.any():
            out[:, c] = own - 2 * gram[:, i].mean(1) + gram[np.ix_(i, i)].mean() if mean else apart[:, i].mean(1)
    return out


def compare_kernels(x, gamma, k, name):
    write("rows.csv", x)
    gram = np.exp(-gamma * cdist(x, x, "sqeuclidean"))
    for rule in ("average", "mean"):
        ours = fit("kernel-kmeans", "rows.csv", "--scale", "none", "--clusters", str(k), "--gamma", str(gamma),
                   "--assign", rule, "--starts", "3")
        codes = np.array([int(ours["assign.%d" % (i + 1)]) - 1 for i in range(len(x))])
        table = scores(gram, codes, k, rule == "mean")
        own = table[np.arange(len(x)), codes]
        check("%s: cost by %s" % (name, rule), abs(ours["cost"] - own.sum()) < 1e-9 * len(x))
        if ours["converged"] == "yes":
            check("%s: no row moves by %s" % (name, rule), (own <= table.min(1) + 1e-9).all())


def main():
    random = np.random.default_rng(3)
    for n, d, k in ((40, 2, 2), (120, 3, 4), (300, 5, 6), (500, 2, 8), (700, 8, 10)):
        for metric in ("euclidean", "manhattan"):
            x = random.normal(size=(n, d)) + 3 * random.normal(size=(k, d))[random.integers(0, k, n)]
            compare_medoids(x, metric, k, "%d x %d, %s, k = %d" % (n, d, metric, k))
    for n, k in ((60, 2), (150, 3), (200, 5)):
        compare_kernels(random.normal(size=(n, 2)) * 2, 0.3, k, "kernels of %d rows, k = %d" % (n, k))
    print("%d comparisons, %d failed" % (compared, len(failures)))
    return 1 if failures else 0


sys.exit(main())

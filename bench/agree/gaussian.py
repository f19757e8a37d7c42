#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Normal classes against scikit-learn and scipy: probabilities of LDA and QDA, of the regularised
covariances between them, of rows with missing cells, and the log likelihood.
Usage: bench/agree/gaussian.py [BUILD]; exit 0 when all agree to 1e-8."""
import json
import os
import subprocess
import sys
import tempfile
import numpy as np
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
FOLDER = tempfile.mkdtemp()
failed = 0


def check(what, ours, theirs, tolerance=1e-8):
    global failed
    off = np.max(np.abs(np.asarray(ours, float) - np.asarray(theirs, float)))
    off /= max(1, np.max(np.abs(theirs)))
    failed += not off <= tolerance
    print("%-62s %8.1e %s" % (what, off, "" if off <= tolerance else "DIFFERS"))


def write(name, x, y):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as out:
        out.write(",".join(["x%d" % j for j in range(x.shape[1])] + ["y"]) + "\n")
        for row, c in zip(x, y):
            out.write(",".join("" if np.isnan(v) else repr(float(v)) for v in row) + ",c%d\n" % c)
    return path


def make(n, p, k, seed):
    """Classes of different sizes, means and covariances, in columns of different size."""
    rng = np.random.default_rng(seed)
    y = np.minimum(rng.integers(0, k + 1, n), k - 1)
    mixes = [rng.normal(size=(p, p)) / np.sqrt(p) + np.eye(p) for _ in range(k)]
    means = rng.normal(size=(k, p))
    x = np.array([rng.normal(size=p) @ mixes[c] + means[c] for c in y])
    return x * np.geomspace(1, 100, p) + np.linspace(0, 1000, p), y


def ask(path, new, k, *options):
    """Values of the fit, and probabilities of the rows of another file."""
    model = os.path.join(FOLDER, "m.cairn")
    text = subprocess.run([os.path.join(BUILD, "cairn"), "fit", "gaussian", path, "--target", "y", "--format",
                           "json", "--save", model] + list(options), check=True, capture_output=True).stdout
    said = subprocess.run([os.path.join(BUILD, "cairn"), "predict", model, new, "--output", "scores"], check=True,
                          capture_output=True).stdout.decode()
    head, *rows = [line.split(",") for line in said.strip().split("\n")]
    order = [head.index("p(c%d)" % c) for c in range(k)]
    return json.loads(text)["values"], np.array(rows, float)[:, order]


def posterior(x, shares, means, covariances):
    """By the densities of the cells that are there."""
    out = []
    for row in x:
        there = ~np.isnan(row)
        logs = np.array([np.log(s) + (multivariate_normal(m[there], c[np.ix_(there, there)]).logpdf(row[there])
                                      if there.any() else 0) for s, m, c in zip(shares, means, covariances)])
        e = np.exp(logs - logs.max())
        out.append(e / e.sum())
    return np.array(out)


for n, p, k in ((400, 2, 2), (900, 6, 3), (3000, 20, 5)):
    x, y = make(n, p, k, n)
    path, name = write("rows.csv", x, y), "%d rows, %d columns, %d classes: " % (n, p, k)
    shares = [np.mean(y == c) for c in range(k)]
    means = [x[y == c].mean(0) for c in range(k)]
    own = [np.cov(x[y == c].T, bias=True) for c in range(k)]
    shared = sum(s * c for s, c in zip(shares, own))
    values, ours = ask(path, path, k)
    check(name + "LDA", ours, LinearDiscriminantAnalysis(solver="lsqr").fit(x, y).predict_proba(x))
    logs = sum(np.log(shares[c]) + multivariate_normal(means[c], shared).logpdf(row) for row, c in zip(x, y))
    check(name + "log likelihood", values["log_likelihood"], logs)
    _, ours = ask(path, path, k, "--covariance", "own", "--divisor", "n-1")
    check(name + "QDA", ours, QuadraticDiscriminantAnalysis().fit(x, y).predict_proba(x))
    mixed = [0.6 * c + 0.4 * shared for c in own]
    mixed = [0.7 * c + 0.3 * np.diag(np.diag(c)) for c in mixed]
    _, ours = ask(path, path, k, "--covariance", "own", "--pooling", "0.4", "--shrinkage", "0.3")
    check(name + "regularised", ours, posterior(x, shares, means, mixed))
    holes = x[:200].copy()
    holes[np.random.default_rng(1).random(holes.shape) < 0.3] = np.nan
    missing = write("holes.csv", holes, y[:200])
    _, ours = ask(path, missing, k, "--covariance", "own")
    check(name + "QDA, missing cells", ours, posterior(holes, shares, means, own))
    _, ours = ask(path, missing, k)
    check(name + "LDA, missing cells", ours, posterior(holes, shares, means, [shared] * k))
sys.exit(failed > 0)

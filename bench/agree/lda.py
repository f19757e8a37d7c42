#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Fisher's discriminant against LinearDiscriminantAnalysis of scikit-learn: the plane of two classes,
scores and probabilities of more, shrinkage, priors, and the discriminant axes.
Usage: bench/agree/lda.py [BUILD]; exit 0 when all agree to 1e-8 of the largest number."""
import json
import os
import subprocess
import sys
import tempfile
import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
FOLDER = tempfile.mkdtemp()
failed = 0


def check(what, ours, theirs, tolerance=1e-8):
    global failed
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    off = np.max(np.abs(ours - theirs)) / max(1e-300, np.max(np.abs(theirs)))
    failed += not off <= tolerance
    print("%-62s %8.1e %s" % (what, off, "" if off <= tolerance else "DIFFERS"))


def make(n, p, k, scale, seed):
    """Classes of equal size about different means, in columns of different size."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    mix = rng.normal(size=(p, p)) / np.sqrt(p) + np.eye(p)
    x = (rng.normal(size=(n, p)) + 1.5 * rng.normal(size=(k, p))[y]) @ mix
    x = x * np.geomspace(1, scale, p) + np.linspace(0, 10 * scale, p)
    path = os.path.join(FOLDER, "%d-%d-%d.csv" % (n, p, k))
    with open(path, "w") as out:
        out.write(",".join(["x%d" % j for j in range(p)] + ["y"]) + "\n")
        for row, c in zip(x, y):
            out.write(",".join(repr(float(v)) for v in row) + ",c%d\n" % c)
    return path, x, y


def cairn(path, *options):
    command = [os.path.join(BUILD, "cairn"), "fit", "discriminant", path, "--target", "y",
               "--format", "json"] + list(options)
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["values"]


def probabilities(path, k, *options):
    """Of the first 200 rows."""
    model = os.path.join(FOLDER, "m.cairn")
    cairn(path, "--probabilities", "--save", model, *options)
    text = subprocess.run([os.path.join(BUILD, "cairn"), "predict", model, path, "--output", "scores"],
                          check=True, capture_output=True).stdout.decode()
    rows = [line.split(",") for line in text.split("\n")[1:201]]
    return np.array(rows, float)[:, -k:]


for n, p, k, scale in ((600, 4, 2, 1), (900, 12, 3, 1000), (1200, 7, 5, 0.01), (2000, 30, 4, 10)):
    path, x, y = make(n, p, k, scale, n)
    name = "%d rows, %d columns, %d classes: " % (n, p, k)
    for shrinkage in (None, 0.25):
        theirs = LinearDiscriminantAnalysis(solver="eigen", shrinkage=shrinkage).fit(x, y)
        options = ["--shrinkage", str(shrinkage)] if shrinkage else []
        # numbers in columns of very different size are shrunk to a sphere, so nothing but that is asked
        ours = cairn(path, "--probabilities", "--positive", "c1", *options) if k == 2 else \
            cairn(path, *options)
        terms = ["x%d" % j for j in range(p)]
        if k == 2:
            check(name + "plane, shrinkage %s" % shrinkage,
                  [ours["coefficient." + t] for t in terms], theirs.coef_[0])
            check(name + "constant", ours["coefficient.intercept"], theirs.intercept_[0], 1e-7)
        else:
            w = np.array([[ours["coefficient.c%d.%s" % (c, t)] for t in terms] for c in range(k)])
            check(name + "scores, shrinkage %s" % shrinkage, (w - w[0])[1:] * x.std(axis=0),
                  (theirs.coef_ - theirs.coef_[0])[1:] * x.std(axis=0))
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(x, y)
    check(name + "probabilities", probabilities(path, k), theirs.predict_proba(x[:200]), 1e-7)
    axes = LinearDiscriminantAnalysis(solver="svd").fit(x, y)
    ours = cairn(path)
    for a in range(min(k - 1, p)):
        mine = np.array([ours["axis%d.x%d" % (a + 1, j)] for j in range(p)])
        other = axes.scalings_[:, a]
        other = other * np.sign(other[np.argmax(np.abs(mine))] * mine[np.argmax(np.abs(mine))])
        check(name + "axis %d" % (a + 1), mine * x.std(axis=0), other * x.std(axis=0), 1e-6)
        check(name + "share of axis %d" % (a + 1), ours["axis%d.share" % (a + 1)],
              axes.explained_variance_ratio_[a], 1e-7)
priors = [0.2, 0.3, 0.5]
path, x, y = make(900, 5, 3, 1, 3)
theirs = LinearDiscriminantAnalysis(solver="eigen").fit(x, y)
with_priors = LinearDiscriminantAnalysis(solver="lsqr", priors=[1 / 3] * 3).fit(x, y)
scores = x[:200] @ with_priors.coef_.T + with_priors.intercept_ + np.log(np.array(priors) * 3)
soft = np.exp(scores - scores.max(axis=1, keepdims=True))
check("priors", probabilities(path, 3, "--prior", "0.2,0.3,0.5"), soft / soft.sum(axis=1, keepdims=True), 1e-7)
print("all agree" if not failed else "%d differ" % failed)
sys.exit(failed > 0)

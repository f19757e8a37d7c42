#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Mixtures against scikit-learn's GaussianMixture: after twenty iterations from the same start the
log-likelihood, BIC, weights, means, variances and densities of rows are the same to 1e-6 of their size,
for all four forms of covariance, on columns of very different units.
Usage: bench/agree/mixture.py [BUILD]; exit 0 when all agree."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import numpy as np
from sklearn.mixture import GaussianMixture

warnings.simplefilter("ignore")
CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
FORMS = {"full": "full", "tied": "tied", "diagonal": "diag", "spherical": "spherical"}
failures, compared = [], 0


def near(what, ours, theirs):
    global compared
    compared += 1
    if abs(ours - theirs) > 1e-6 * max(1, abs(theirs)):
        failures.append(what)
        print("not so: %s: %.12g, %.12g" % (what, ours, theirs))


def typed(rows):
    return ";".join(",".join("%.17g" % v for v in row) for row in rows)


def fit(form, start, variances):
    command = [CAIRN, "fit", "mixture", "rows.csv", "--components", str(len(start)), "--covariance", form,
               "--start-means", typed(start), "--start-variances", typed([variances] * len(start)),
               "--max-iter", "20", "--tolerance", "0", "--floor", "1e-10", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: %s\n%s" % (" ".join(command), done.stderr))
    return json.loads(done.stdout)["values"]


def peer(form, x, start, variances):
    k, one = len(start), 1 / variances
    precisions = {"full": np.array([np.diag(one)] * k), "tied": np.diag(one), "diagonal": np.array([one] * k),
                  "spherical": np.full(k, one[0])}[form]
    model = GaussianMixture(k, covariance_type=FORMS[form], reg_covar=0, tol=0, max_iter=20, means_init=start,
                            precisions_init=precisions, weights_init=np.full(k, 1 / k))
    return model.fit(x)


def variance(model, form, c, j):
    covariances = model.covariances_
    return {"full": lambda: covariances[c][j][j], "tied": lambda: covariances[j][j],
            "diagonal": lambda: covariances[c][j], "spherical": lambda: covariances[c]}[form]()


def compare(form, seed):
    random = np.random.default_rng(seed)
    n, d, k = 180, 3, 3
    x = np.concatenate([random.normal(size=(n // k, d)) @ random.normal(size=(d, d)) + 4 * random.normal(size=d)
                        for _ in range(k)]) * [1, 100, 0.01] + [1000, 0, 5]
    np.savetxt(os.path.join(FOLDER, "rows.csv"), x, fmt="%.17g", delimiter=",", header="a,b,c", comments="")
    variances = x.var(axis=0) if form != "spherical" else np.full(d, x.var(axis=0).mean())
    start = x[[10, 70, 130]]
    ours, theirs = fit(form, start, variances), peer(form, x, start, variances)
    what = "%s, seed %d, " % (form, seed)
    near(what + "log-likelihood", ours["log_likelihood"], theirs.score(x) * n)
    near(what + "BIC", ours["bic"], theirs.bic(x))
    for c in range(k):
        near(what + "weight", ours["weight.%d" % (c + 1)], theirs.weights_[c])
        for j, name in enumerate("abc"):
            near(what + "mean", ours["mean.%d.%s" % (c + 1, name)], theirs.means_[c][j])
            near(what + "variance", ours["variance.%d.%s" % (c + 1, name)], variance(theirs, form, c, j))
    for i, value in enumerate(theirs.score_samples(x)):
        near(what + "density", ours["log_density.%d" % (i + 1)], value)


for form in FORMS:
    for seed in range(5):
        compare(form, seed)
print("%d numbers compared, %d differ" % (compared, len(failures)))
sys.exit(bool(failures))

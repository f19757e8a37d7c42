#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Logistic and softmax regression against scikit-learn (weights under L2, L1 and elastic penalties)
and R's glm (weights, standard errors, z and p without one), and Cairn's solvers against each other.
Usage: bench/agree/logistic.py [BUILD]; exit 0 when all agree to 1e-6 of the largest weight."""
import json
import os
import subprocess
import sys
import tempfile
import warnings
import numpy as np
from sklearn.linear_model import LogisticRegression

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
FOLDER = tempfile.mkdtemp()
failed = 0


def check(what, ours, theirs, tolerance=1e-6):
    global failed
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    off = np.max(np.abs(ours - theirs)) / max(1, np.max(np.abs(theirs)))
    ok = off <= tolerance
    failed += not ok
    print("%-58s %8.1e %s" % (what, off, "" if ok else "DIFFERS"))


def make(name, n, p, k, scale=1.0, weights=False, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) * np.linspace(1, scale, p) + np.linspace(0, scale - 1, p)
    w = rng.normal(size=(p, k)) / np.linspace(1, scale, p)[:, None]
    a = (x - x.mean(axis=0)) @ w
    q = np.exp(a - a.max(axis=1, keepdims=True))
    q /= q.sum(axis=1, keepdims=True)
    y = np.array([rng.choice(k, p=row) for row in q])
    path = os.path.join(FOLDER, name + ".csv")
    weight = rng.integers(1, 4, size=n) if weights else np.ones(n)
    with open(path, "w") as out:
        out.write(",".join(["x%d" % (j + 1) for j in range(p)] + ["weight", "class"]) + "\n")
        for i in range(n):
            out.write(",".join(repr(v) for v in x[i]) + ",%d,c%d\n" % (weight[i], y[i]))
    return path, x, y, weight


def cairn(path, *options):
    """Values of a fit; k is the number of classes of the data at hand."""
    command = [os.path.join(BUILD, "cairn"), "fit", "logistic", path, "--target", "class",
               "--weight", "weight", "--scale", "none", "--format", "json"] + list(options)
    if k == 2:
        command += ["--positive", "c1"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["values"]


def weights_of(values, p, k, kind="coefficient"):
    terms = ["x%d" % (j + 1) for j in range(p)] + ["intercept"]
    if k == 2:
        return [values["%s.%s" % (kind, t)] for t in terms]
    classes = [c for c in range(k) if "%s.c%d.intercept" % (kind, c) in values]
    return [[values["%s.c%d.%s" % (kind, c, t)] for t in terms] for c in classes]


def scikit(x, y, weight, k, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(tol=1e-12, max_iter=20000, **settings).fit(x, y, weight)
    both = np.column_stack([model.coef_, model.intercept_])
    return both[0] if k == 2 else both


def r_glm(path):
    code = ("d <- read.csv('%s'); d$y <- as.integer(d$class == 'c1'); w <- d$weight; d$weight <- NULL;"
            "d$class <- NULL; m <- glm(y ~ ., data = d, weights = w, family = binomial,"
            "control = glm.control(epsilon = 1e-15, maxit = 100));"
            "write.table(format(summary(m)$coefficients, digits = 17), quote = FALSE, col.names = FALSE);"
            "cat('dev', format(c(m$deviance, m$null.deviance, m$aic), digits = 17), '\\n')" % path)
    lines = subprocess.run(["Rscript", "--vanilla", "-e", code], stdout=subprocess.PIPE, check=True,
                           stderr=subprocess.DEVNULL).stdout.decode().split("\n")
    table = [[float(v) for v in line.split()[1:]] for line in lines if line]
    return np.array(table[1:-1] + table[:1]), table[-1]


def softmax_errors(x, weight, weights):
    """Of weights relative to a last class of weights 0: classes by terms, the intercept last."""
    x1, w = np.column_stack([x, np.ones(len(x))]), np.array(weights)
    a = np.column_stack([x1 @ w.T, np.zeros(len(x))])
    q = np.exp(a - a.max(axis=1, keepdims=True))
    q /= q.sum(axis=1, keepdims=True)
    m, t = w.shape
    hessian = np.zeros((m * t, m * t))
    for i in range(m):
        for j in range(m):
            r = weight * q[:, i] * ((i == j) - q[:, j])
            hessian[i * t:(i + 1) * t, j * t:(j + 1) * t] = x1.T @ (x1 * r[:, None])
    return np.sqrt(np.diag(np.linalg.inv(hessian))).reshape(m, t)


for name, n, p, k, scale, weighted in [("two", 500, 4, 2, 1, False), ("scaled", 400, 6, 2, 1e4, True),
                                       ("three", 600, 3, 3, 10, True), ("five", 800, 5, 5, 1, False)]:
    path, x, y, weight = make(name, n, p, k, scale, weighted, seed=n)
    plain = cairn(path, "--penalty", "none")
    if k == 2:
        table, (deviance, null, aic) = r_glm(path)
        for column, kind in enumerate(["coefficient", "se", "z", "p"]):
            check("%s: %s against glm" % (name, kind), weights_of(plain, p, k, kind),
                  table[:, column])
        check(name + ": deviances against glm", [plain["deviance"], plain["null_deviance"]],
              [deviance, null])
    else:
        check(name + ": standard errors against the inverse Hessian",
              weights_of(plain, p, k, "se"), softmax_errors(x, weight, weights_of(plain, p, k)))
    cg = cairn(path, "--penalty", "none", "--solver", "cg", "--tolerance", "1e-20")
    check(name + ": cg against newton, no penalty", weights_of(cg, p, k), weights_of(plain, p, k),
          1e-8)
    if scale > 100:
        continue  # scikit-learn's solvers do not get there
    for strength in [0.1, 10.0]:
        ridge = cairn(path, "--lambda", str(strength))
        check("%s: l2 strength %g" % (name, strength), weights_of(ridge, p, k),
              scikit(x, y, weight, k, C=1 / strength, solver="newton-cg"))
        cg = cairn(path, "--lambda", str(strength), "--solver", "cg", "--tolerance", "1e-20")
        check("%s: l2 strength %g, cg against newton" % (name, strength), weights_of(cg, p, k),
              weights_of(ridge, p, k), 1e-8)
    for penalty, strength, mix in [("l1", 5, 1), ("l1", 60, 1), ("elastic", 20, 0.3)]:
        options = ["--penalty", penalty, "--lambda", str(strength)]
        options += ["--mix", str(mix)] if penalty == "elastic" else []
        lasso = cairn(path, *options)
        check("%s: %s strength %g" % (name, penalty, strength), weights_of(lasso, p, k),
              scikit(x, y, weight, k, C=1 / strength, solver="saga", penalty="elasticnet",
                     l1_ratio=mix), 1e-5)
        cg = cairn(path, "--solver", "cg", "--tolerance", "1e-20", *options)
        check("%s: %s strength %g, cg against newton" % (name, penalty, strength),
              [cg["objective"]], [lasso["objective"]], 1e-10)
    totals = np.bincount(y, weight)
    balance = dict(enumerate(weight.sum() / k / totals))
    balanced = cairn(path, "--lambda", "1", "--class-weight", "balanced")
    check(name + ": balanced classes, l2", weights_of(balanced, p, k),
          scikit(x, y, weight, k, C=1, solver="newton-cg", class_weight=balance))
sys.exit(1 if failed else 0)

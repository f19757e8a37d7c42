#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Lasso and elastic net against R's glmnet and scikit-learn, ridge against scikit-learn: coefficients at
strengths along the path, weighted rows, penalties with and without a constant, errors of the same folds,
rows left out one at a time. Minima of |c|^q against a general minimiser.
Usage: bench/agree/lasso.py [BUILD]; exit 0 when all agree to 1e-6 of the largest number."""
import json
import os
import subprocess
import sys
import tempfile
import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import ElasticNet, Ridge, RidgeCV

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
FOLDER = tempfile.mkdtemp()
failed = 0


def check(what, ours, theirs, tolerance=1e-6):
    global failed
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    off = np.max(np.abs(ours - theirs)) / max(1e-300, np.max(np.abs(theirs)))
    ok = off <= tolerance
    failed += not ok
    print("%-58s %8.1e %s" % (what, off, "" if ok else "DIFFERS"))


def make(name, n, p, informative, seed=1, unit=None):
    """Correlated columns of different means, a target of some of them, weights 1 to 3. glmnet divides the target
    by its deviation before it mixes penalties, so there it has a deviation of 1, `unit` saying of which rows."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) + 0.7 * rng.normal(size=(n, 1)) + np.linspace(-5, 5, p)
    y = x[:, :informative] @ rng.normal(size=informative) + rng.normal(size=n) + 20
    w = rng.integers(1, 4, size=n)
    if unit:
        of = w if unit == "weighted" else np.ones(n)
        y = y / np.sqrt(np.average((y - np.average(y, weights=of)) ** 2, weights=of))
    path = os.path.join(FOLDER, name + ".csv")
    head = ",".join(["x%d" % (j + 1) for j in range(p)] + ["y", "w"])
    np.savetxt(path, np.c_[x, y, w], delimiter=",", header=head, comments="", fmt="%.17g")
    return path, x, y, w


def cairn(verb, learner, path, *options):
    command = [os.path.join(BUILD, "cairn"), verb, learner, path, "--target", "y", "--task", "regress", "--scale",
               "none", "--format", "json"] + list(options)
    if "--weight" not in options:
        command += ["--ignore", "w"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["values"]


def coefficients(values, p):
    return [values["coefficient.x%d" % (j + 1)] for j in range(p)] + [values.get("coefficient.intercept", 0)]


def glmnet(path, p, alpha, strengths, weighted):
    """Coefficients at the strengths, the constant last."""
    script = """suppressMessages(library(glmnet)); d <- as.matrix(read.csv("%s")); p <- %d
f <- glmnet(d[, 1:p], d[, p + 1], weights = if (%s) d[, p + 2] else rep(1, nrow(d)), alpha = %g,
            standardize = FALSE, thresh = 1e-20, maxit = 1e7, lambda = c(%s))
write.table(format(t(as.matrix(coef(f))), digits = 17), row.names = FALSE, col.names = FALSE, quote = FALSE)"""
    text = subprocess.run(["Rscript", "--vanilla", "-e", script % (path, p, str(weighted).upper(), alpha,
                          ",".join(repr(s) for s in strengths))], stdout=subprocess.PIPE, check=True).stdout.decode()
    rows = np.array([[float(v) for v in line.split()] for line in text.strip().splitlines()])
    return np.c_[rows[:, 1:], rows[:, 0]]


p = 12
path, x, y, w = make("rows", 200, p, 5)
for mix in (1, 0.5, 0.1):
    for unit in ("rows", "weighted"):
        more = ["--weight", "w"] if unit == "weighted" else []
        same = make("unit-" + unit, 200, p, 5, unit=unit)[0]
        fit = ["fit", "lasso", same, "--mix", str(mix), "--objective", "mean", *more, "--lambda"]
        strengths = [cairn(*fit, "1")["lambda.most"] * s for s in (0.5, 0.1, 0.01, 0.001)]
        for s, b in zip(strengths, glmnet(same, p, mix, strengths, unit == "weighted")):
            check("glmnet, mix %g, strength %.3g, %s" % (mix, s, unit), coefficients(cairn(*fit, repr(s)), p), b)
    for constant in (True, False):
        model = ElasticNet(alpha=strengths[1], l1_ratio=mix, fit_intercept=constant, tol=1e-14, max_iter=1000000)
        model.fit(x, y)
        ours = coefficients(cairn("fit", "lasso", path, "--mix", str(mix), "--objective", "mean", "--lambda",
                                  repr(strengths[1]), *([] if constant else ["--no-intercept"])), p)
        check("scikit-learn, mix %g%s" % (mix, "" if constant else ", no constant"), ours,
              np.r_[model.coef_, model.intercept_])

# more columns than rows
wide, xw, yw, _ = make("wide", 60, 150, 8)
for alpha in (0.5, 0.05):
    model = ElasticNet(alpha=alpha, l1_ratio=1, tol=1e-15, max_iter=10000000).fit(xw, yw)
    check("150 columns, 60 rows, strength %g" % alpha,
          coefficients(cairn("fit", "lasso", wide, "--objective", "mean", "--lambda", repr(alpha)), 150),
          np.r_[model.coef_, model.intercept_])

# thousands of columns, and the words of bags: products of a growing set only
many, xm, ym, wm = make("many", 150, 2600, 12)
for mix, alpha in ((1, 0.5), (1, 0.1), (0.4, 0.3)):
    model = ElasticNet(alpha=alpha, l1_ratio=mix, tol=1e-14, max_iter=10000000).fit(xm, ym)
    ours = cairn("fit", "lasso", many, "--mix", str(mix), "--objective", "mean", "--lambda", repr(alpha))
    check("2600 columns, mix %g, strength %g" % (mix, alpha), coefficients(ours, 2600),
          np.r_[model.coef_, model.intercept_])
bag = os.path.join(FOLDER, "bag.libsvm")
rng = np.random.default_rng(5)
words = rng.poisson(0.02, size=(400, 3000)) * rng.uniform(0.5, 2, size=3000)
yb = words[:, :40] @ rng.normal(size=40) * 3 + rng.normal(size=400)
with open(bag, "w") as out:
    for i in range(400):
        out.write("%.17g %s\n" % (yb[i], " ".join("%d:%.17g" % (j + 1, words[i, j]) for j in np.nonzero(words[i])[0])))
seen = np.nonzero(words.any(axis=0))[0]
command = [os.path.join(BUILD, "cairn"), "fit", "lasso", bag, "--task", "regress", "--objective", "mean", "--lambda", "0.3,0.1",
           "--scale", "none", "--format", "json", "--inner", "cv:4"]
values = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["values"]
model = ElasticNet(alpha=values["lambda"], l1_ratio=1, tol=1e-14, max_iter=10000000).fit(words, yb)
names = [k for k in values if k.startswith("coefficient.") and k.endswith("=%d" % (seen[0] + 1))]
stem = names[0].rsplit("=", 1)[0]
check("bag of 3000 words", [values.get("%s=%d" % (stem, j + 1), 0) for j in seen] + [values["coefficient.intercept"]],
      np.r_[model.coef_[seen], model.intercept_])
command[1:3] = ["evaluate", "lasso"]
command = [c for c in command if c not in ("--inner", "cv:4")] + ["--by", "cv:4"]
command[command.index("0.3,0.1")] = repr(values["lambda"])
judged = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["values"]
check("bag, folds", values["held_out"], judged["mse"])

# the same folds, one model for each
for mix in (1, 0.5):
    values = cairn("fit", "lasso", path, "--mix", str(mix), "--objective", "mean", "--lambda", "0.3,0.03", "--inner",
                   "cv:7")
    for i, s in enumerate((0.3, 0.03)):
        judged = cairn("evaluate", "lasso", path, "--mix", str(mix), "--objective", "mean", "--lambda", str(s), "--by",
                       "cv:7")
        check("folds, mix %g, strength %g" % (mix, s), values["path%d.held_out" % (i + 1)], judged["mse"])

# rows left out
alphas = np.geomspace(1e4, 1e-2, 10)
values = cairn("fit", "ridge", path, "--inner", "loo", "--lambda", ",".join(repr(a) for a in alphas))
model = RidgeCV(alphas=alphas, store_cv_values=True).fit(x, y)
check("ridge, rows left out", [values["path%d.held_out" % (i + 1)] for i in range(10)],
      model.cv_values_.mean(axis=0))
check("ridge, strength taken", values["lambda"], model.alpha_)
xr, yr = np.repeat(x, w, axis=0), np.repeat(y, w)
values = cairn("fit", "ridge", path, "--lambda", "3", "--weight", "w")
model = Ridge(alpha=3, solver="svd").fit(xr, yr)
check("ridge, weights are repeats", coefficients(values, p), np.r_[model.coef_, model.intercept_])

# powers above 1 are smooth and convex
for q in (1.5, 3, 4):
    values = cairn("fit", "lasso", path, "--q", str(q), "--lambda", "10")
    xc, yc = x - x.mean(axis=0), y - y.mean()

    def value(c):
        rest = yc - xc @ c
        return rest @ rest / 2 + 10 * np.sum(np.abs(c) ** q)

    def slope(c):
        return xc.T @ (xc @ c - yc) + 10 * q * np.sign(c) * np.abs(c) ** (q - 1)
    best = minimize(value, np.zeros(p), jac=slope, method="BFGS", options={"gtol": 1e-10, "maxiter": 10000}).x
    check("q %g" % q, coefficients(values, p)[:p], best, 1e-5)

print("all agree" if not failed else "%d differ" % failed)
sys.exit(failed > 0)

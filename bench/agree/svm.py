#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Support vector machines against libsvm (through scikit-learn): objective, number of support vectors, scores and
labels of C and nu forms for classes and numbers, all kernels, weighted rows, classes and pairs; linear machines
against liblinear.
Usage: bench/agree/svm.py [BUILD]; exit 0 when objectives agree to 1e-4, scores to 1e-3 and labels but for ties."""
import json
import os
import subprocess
import sys
import tempfile
import warnings
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC, NuSVR

warnings.simplefilter("ignore")
BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
FOLDER = tempfile.mkdtemp()
failed = 0


def check(what, ours, theirs, tolerance):
    global failed
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    off = np.max(np.abs(ours - theirs)) / max(1e-300, np.max(np.abs(theirs)))
    failed += not off <= tolerance
    print("%-70s %8.1e %s" % (what, off, "" if off <= tolerance else "DIFFERS"))


def write(name, x, y, w):
    path = os.path.join(FOLDER, name + ".csv")
    head = ",".join(["x%d" % (j + 1) for j in range(x.shape[1])] + ["y", "w"])
    np.savetxt(path, np.c_[x, y, w], delimiter=",", header=head, comments="", fmt="%.17g")
    return path


def cairn(*words):
    out = subprocess.run([os.path.join(BUILD, "cairn")] + list(words), check=True, capture_output=True, text=True)
    return out.stdout


def answers(path, task, options, weighted):
    model, said = os.path.join(FOLDER, "model.cairn"), os.path.join(FOLDER, "said.csv")
    roles = ["--target", "y", "--task", task] + (["--weight", "w"] if weighted else ["--ignore", "w"])
    values = json.loads(cairn("fit", "svm", path, *roles, "--scale", "none", "--tolerance", "1e-5", "--save", model,
                              "--format", "json", *options))["values"]
    cairn("predict", model, path, "--out", said, "--quiet")
    with open(said) as lines:
        head = [h.strip('"') for h in next(lines).strip().split(",")]
        rows = [line.strip().split(",") for line in lines]
    return values, np.array([float(r[head.index("y") if "y" in head else 0].strip('"')) for r in rows])


def dual_of(model, kernel, x, y):
    """Of a two-class C-SVC or an epsilon-SVR."""
    support, beta = model.support_, model.dual_coef_[0]
    gram = kernel(x[support], x[support])
    if isinstance(model, SVC):
        return np.abs(beta).sum() - beta @ gram @ beta / 2
    return beta @ y[support] - model.epsilon * np.abs(beta).sum() - beta @ gram @ beta / 2


def squares(a, b):
    return np.maximum((a ** 2).sum(1)[:, None] + (b ** 2).sum(1)[None] - 2 * a @ b.T, 0)


KERNELS = {
    "linear": (["--kernel", "linear"], dict(kernel="linear"), lambda a, b: a @ b.T),
    "rbf": (["--kernel", "rbf", "--gamma", "0.05"], dict(kernel="rbf", gamma=0.05),
            lambda a, b: np.exp(-0.05 * squares(a, b))),
    "poly": (["--kernel", "poly", "--degree", "3", "--factor", "0.1", "--offset", "1"],
             dict(kernel="poly", degree=3, gamma=0.1, coef0=1), lambda a, b: (0.1 * a @ b.T + 1) ** 3),
}


def two_classes():
    x, y = load_breast_cancer(return_X_y=True)
    x = StandardScaler().fit_transform(x)
    w = np.random.default_rng(1).integers(1, 4, len(y))
    path = write("cancer", x, y, w)
    for name, (options, their, kernel) in KERNELS.items():
        for weighted in (False, True):
            model = SVC(C=2, tol=1e-6, **their).fit(x, y, sample_weight=w if weighted else None)
            values, said = answers(path, "classify", options + ["--c", "2"], weighted)
            what = "classes, %s%s: " % (name, ", weighted" if weighted else "")
            check(what + "objective", values["dual"], dual_of(model, kernel, x, y), 1e-4)
            check(what + "support vectors", values["vectors"], len(model.support_), 0.02)
            check(what + "labels", np.mean(said == model.predict(x)), 1, 0.002)
    model = NuSVC(nu=0.2, gamma=0.05, tol=1e-6).fit(x, y)
    values, said = answers(path, "classify", ["--gamma", "0.05", "--type", "nu", "--nu", "0.2"], False)
    check("classes, nu: support vectors", values["vectors"], len(model.support_), 0.02)
    check("classes, nu: constant", abs(values["machine1.constant"]), abs(model.intercept_[0]), 1e-3)


def many_classes():
    for name, load in ("wine", load_wine), ("digits", load_digits):
        x, y = load(return_X_y=True)
        x = x / 16 if name == "digits" else StandardScaler().fit_transform(x)
        model = SVC(C=5, gamma=0.05, tol=1e-6).fit(x, y)
        values, said = answers(write(name, x, y, np.ones(len(y))), "classify", ["--gamma", "0.05", "--c", "5"], False)
        check(name + ", pairs: support vectors", values["vectors"], len(model.support_), 0.02)
        check(name + ", pairs: labels", np.mean(said == model.predict(x)), 1, 0.002)


def numbers():
    x, y = load_diabetes(return_X_y=True)
    x, y = StandardScaler().fit_transform(x), y / 50
    w = np.random.default_rng(2).integers(1, 4, len(y))
    path = write("diabetes", x, y, w)
    for name, (options, their, kernel) in KERNELS.items():
        model = SVR(C=1, epsilon=0.2, tol=1e-6, **their).fit(x, y)
        values, said = answers(path, "regress", options + ["--epsilon", "0.2"], False)
        check("numbers, %s: objective" % name, values["dual"], dual_of(model, kernel, x, y), 1e-4)
        check("numbers, %s: predictions" % name, said, model.predict(x), 1e-3)
    model = SVR(C=1, epsilon=0.2, gamma=0.05, tol=1e-6).fit(x, y, sample_weight=w)
    values, said = answers(path, "regress", ["--gamma", "0.05", "--epsilon", "0.2"], True)
    check("numbers, weighted: predictions", said, model.predict(x), 1e-3)
    model = NuSVR(C=1, nu=0.4, gamma=0.05, tol=1e-6).fit(x, y)
    values, said = answers(path, "regress", ["--gamma", "0.05", "--type", "nu", "--nu", "0.4"], False)
    check("numbers, nu: predictions", said, model.predict(x), 1e-3)


def row_by_row():
    """liblinear with a column of ones as the constant."""
    x, y = load_digits(return_X_y=True)
    x = x / 16
    path = write("rows", x, y, np.ones(len(y)))
    for loss in "hinge", "squared":
        model = LinearSVC(C=1, loss="hinge" if loss == "hinge" else "squared_hinge", dual=True, tol=1e-6,
                          intercept_scaling=1, max_iter=100000).fit(x, y)
        options = ["--kernel", "linear", "--solver", "rows", "--loss", loss, "--classes", "rest"]
        values, said = answers(path, "classify", options, False)
        check("row by row, %s: constants" % loss, [values["machine%d.constant" % (k + 1)] for k in range(10)],
              model.intercept_, 1e-3)
        check("row by row, %s: labels" % loss, np.mean(said == model.predict(x)), 1, 0.002)


two_classes()
many_classes()
numbers()
row_by_row()
sys.exit(failed > 0)

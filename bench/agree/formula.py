#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Computed columns against other implementations, to 1e-12: expressions and conditions against
numpy on random columns with missing cells, basis functions against scikit-learn, kernel maps against the
kernels themselves, the Bayes error of generated clouds against integration.
Usage: bench/agree/formula.py [BUILD]; exit 0 when all agree."""
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import numpy as np
import pandas as pd
from scipy.stats import norm
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics.pairwise import polynomial_kernel
from sklearn.preprocessing import PolynomialFeatures

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
CAIRN = os.path.join(BUILD, "cairn")
FOLDER = tempfile.mkdtemp()
TOLERANCE = 1e-12
checks = 0


def path(name):
    return os.path.join(FOLDER, name)


def run(*words):
    done = subprocess.run([CAIRN, *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit("cairn %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def agree(what, ours, theirs, tolerance=TOLERANCE):
    global checks
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.shape != theirs.shape:
        sys.exit("%s: %s numbers, not %s" % (what, ours.shape, theirs.shape))
    same = (np.isnan(ours) & np.isnan(theirs)) | \
        (np.abs(ours - theirs) <= tolerance * np.maximum(1, np.abs(theirs)))
    if not same.all():
        at = np.argwhere(~same)[0]
        sys.exit("%s, row %s: %r is not %r" % (what, at, ours[tuple(at)], theirs[tuple(at)]))
    checks += 1


def transformed(frame, *specs):
    """The table after the transforms, all numbers."""
    frame.to_csv(path("in.csv"), index=False, float_format="%.17g")
    words = ["convert", path("in.csv"), path("out.csv"), "--quiet"]
    for spec in specs:
        words += ["--with", spec]
    run(*words)
    return pd.read_csv(path("out.csv"), float_precision="round_trip")


rng = np.random.default_rng(1)
n = 5000
data = pd.DataFrame({name: rng.normal(size=n) * 3 for name in "abcd"})
for name in "abcd":
    data.loc[rng.random(n) < 0.05, name] = np.nan
data["k"] = rng.integers(-3, 4, n).astype(float)
a, b, c, d, k = (data[name].to_numpy() for name in "abcdk")

# -- expressions --


def clean(x):
    """What has no value is missing."""
    return np.where(np.isfinite(x), x, np.nan)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


rows = np.column_stack([a, b, c, d])
with np.errstate(all="ignore"):
    cases = {
        "a + b * c - d / 2": a + b * c - d / 2,
        "(a - 1)^2": (a - 1) ** 2,
        "a^3 - 2 * a^2": a ** 3 - 2 * a ** 2,
        "-a^2": -(a ** 2),
        "2^k": 2.0 ** k,
        "a / k": clean(a / k),
        "a % 2": a % 2,
        "log(a)": clean(np.log(a)),
        "log2(abs(a)) + log10(abs(b))": clean(np.log2(np.abs(a)) + np.log10(np.abs(b))),
        "log1p(abs(a)) + expm1(b)": np.log1p(np.abs(a)) + np.expm1(b),
        "sqrt(a)": clean(np.sqrt(a)),
        "exp(-a^2 / 2)": np.exp(-a ** 2 / 2),
        "sin(a) * cos(b) + tan(c)": np.sin(a) * np.cos(b) + np.tan(c),
        "atan2(a, b) + hypot(c, d)": np.arctan2(a, b) + np.hypot(c, d),
        "sinh(a) + cosh(b) + tanh(c)": np.sinh(a) + np.cosh(b) + np.tanh(c),
        "asin(a / 20) + acos(b / 20) + atan(c)":
            np.arcsin(a / 20) + np.arccos(b / 20) + np.arctan(c),
        "sigmoid(a) + relu(b)": sigmoid(a) + np.where(np.isnan(b), np.nan, np.maximum(b, 0)),
        "floor(a) + ceil(b) + trunc(c) + sign(d)":
            np.floor(a) + np.ceil(b) + np.trunc(c) + np.sign(d),
        "cbrt(a)": np.cbrt(a),
        "pow(abs(a), b)": np.abs(a) ** b,
        "mod(a, 3) + clamp(b, -1, 1)": a % 3 + np.clip(b, -1, 1),
        "sum(a, b, c, d)": rows.sum(axis=1),
        "mean(a:d)": rows.mean(axis=1),
        "sd(a:d)": rows.std(axis=1, ddof=1),
        "var(a, b, c)": rows[:, :3].var(axis=1, ddof=1),
        "min(a, b, c)": rows[:, :3].min(axis=1),
        "max(a:d)": rows.max(axis=1),
        "count(a:d)": (~np.isnan(rows)).sum(axis=1),
        "coalesce(a, b, 0)": np.where(np.isnan(a), np.where(np.isnan(b), 0, b), a),
        "if(a > b, a, b)": np.where(np.isnan(a) | np.isnan(b), np.nan, np.where(a > b, a, b)),
        "if(k = 0, missing, a / k)": clean(np.where(k == 0, np.nan, a / k)),
        "row() / rows()": np.arange(1, n + 1) / n,
    }
names = ["r%d" % i for i in range(len(cases))]
out = transformed(data, *["formula:%s=%s" % (name, text) for name, text in zip(names, cases)])
for name, (text, wanted) in zip(names, cases.items()):
    agree(text, out[name], wanted)


def three(x, *needs):
    """A condition that is missing where one of its columns is."""
    x = x.astype(float)
    for need in needs:
        x[np.isnan(need)] = np.nan
    return x


def both(x, y):
    return np.where((x == 0) | (y == 0), 0, np.where(np.isnan(x) | np.isnan(y), np.nan, 1))


def either(x, y):
    return np.where((x == 1) | (y == 1), 1, np.where(np.isnan(x) | np.isnan(y), np.nan, 0))


p, q = three(a > 0, a), three(b <= c, b, c)
conditions = {
    "a > 0 and b <= c": both(p, q),
    "a > 0 or b <= c": either(p, q),
    "not (a > 0)": 1 - p,
    "a between -1 and 1": three((a >= -1) & (a <= 1), a),
    "k in (1, 2, 3)": np.isin(k, [1, 2, 3]).astype(float),
    "a is missing": np.isnan(a).astype(float),
    "k != 2": (k != 2).astype(float),
}
for text, wanted in conditions.items():
    out = transformed(data, "formula:r=%s,truth=numbers" % text)
    agree(text, out["r"], wanted)
    data.to_csv(path("in.csv"), index=False, float_format="%.17g")
    run("convert", path("in.csv"), path("kept.csv"), "--where", text, "--quiet")
    kept = pd.read_csv(path("kept.csv"), float_precision="round_trip")
    agree("--where " + text, kept["k"], k[wanted == 1])

# -- basis functions --
X = rng.normal(size=(500, 4))
frame = pd.DataFrame(X, columns=list("wxyz"))
for degree, only, constant in itertools.product((1, 2, 3, 4), (False, True), (False, True)):
    peer = PolynomialFeatures(degree, interaction_only=only, include_bias=constant)
    theirs = peer.fit_transform(X)
    if constant:
        theirs = np.column_stack([theirs[:, 1:], theirs[:, 0]])  # ours is last
    spec = "basis:%s,degree=%d,constant=%s" % ("interactions" if only else "poly", degree,
                                              "yes" if constant else "no")
    agree(spec, transformed(frame, spec), theirs)
centres = X[:7]
points = ";".join(",".join(repr(float(v)) for v in row) for row in centres)
agree("rbf", transformed(frame, "basis:rbf,centres=[%s],width=1.5" % points),
      RBF(1.5)(X, centres))
polar = transformed(frame, "polar:columns=(w,x)", "drop:(y,z)")
agree("polar", polar, np.column_stack([np.hypot(X[:, 0], X[:, 1]), np.arctan2(X[:, 1], X[:, 0])]))
for degree, offset in itertools.product((1, 2, 3, 4, 5), (0, 0.5, 1, 3)):
    phi = transformed(frame, "kernel-map:degree=%d,offset=%g" % (degree, offset)).to_numpy()
    gram = polynomial_kernel(X, degree=degree, gamma=1, coef0=offset)
    size = np.sqrt(np.outer(np.diag(gram), np.diag(gram)))  # products cancel
    agree("kernel-map %d %g" % (degree, offset), phi @ phi.T / size, gram / size)
    if math.comb(4 + degree, degree) != phi.shape[1] and offset > 0:
        sys.exit("kernel-map %d %g: dimension %d" % (degree, offset, phi.shape[1]))

# -- generators --
for gap, prior in itertools.product((0.5, 2, 4), (0.5, 0.8)):
    text = run("compute", "generate", "clouds", "--means", "0,0;%g,0" % gap, "--sd", "1",
               "--prior", "%g,%g" % (prior, 1 - prior), "--rows", "10", "--format", "json")
    x = np.linspace(-12, 12 + gap, 2000001)
    wrong = np.minimum(prior * norm.pdf(x), (1 - prior) * norm.pdf(x - gap))
    agree("Bayes error of clouds", json.loads(text)["values"]["bayes.error"],
          np.trapz(wrong, x), 1e-9)
print("%d comparisons agree" % checks)

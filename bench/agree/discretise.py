#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Cut points and calibration maps against other implementations, to 1e-9: equal width and equal
frequency against pandas.cut and pandas.qcut, isotonic calibration against scikit-learn, MDL cuts
against a plain implementation of Fayyad and Irani below, logistic calibration against numpy.
Usage: bench/agree/discretise.py [BUILD]; exit 0 when all agree."""
import json
import math
import os
import subprocess
import sys
import tempfile
import numpy as np
import pandas as pd
from sklearn.isotonic import IsotonicRegression

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
CAIRN = os.path.join(BUILD, "cairn")
FOLDER = tempfile.mkdtemp()
TOLERANCE = 1e-9
checks = 0


def path(name):
    return os.path.join(FOLDER, name)


def run(*words):
    done = subprocess.run([CAIRN, *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit("cairn %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def write(name, frame):
    frame.to_csv(path(name), index=False, float_format="%.17g")
    return path(name)


def cuts(name, spec, transform):
    text = run("fit", "majority", name, "--target", "class", "--with", spec, "--format", "json")
    values = json.loads(text)["values"]
    n = int(values["%s.x.bins" % transform]) - 1
    return np.array([values["%s.x.cut%d" % (transform, i + 1)] for i in range(n)])


def agree(what, ours, theirs):
    global checks
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    same = ours.shape == theirs.shape and np.all(
        np.abs(ours - theirs) <= TOLERANCE * np.maximum(1, np.abs(theirs)))
    if not same:
        sys.exit("%s: %s is not %s" % (what, ours[:20], theirs[:20]))
    checks += 1


def entropy(counts):
    p = counts[counts > 0] / counts.sum()
    return -(p * np.log2(p)).sum()


def mdl_cuts(x, y, n_classes):
    """Recursive partitioning by information gain with the MDL rule, as plainly as possible."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]

    def part(lo, hi):
        n = hi - lo
        all_counts = np.bincount(y[lo:hi], minlength=n_classes)
        h = entropy(all_counts)
        best = None
        for i in range(lo + 1, hi):
            if x[i] == x[i - 1]:
                continue
            left = np.bincount(y[lo:i], minlength=n_classes)
            right = all_counts - left
            gain = h - ((i - lo) * entropy(left) + (hi - i) * entropy(right)) / n
            if best is None or gain > best[0] + 1e-12:
                best = (gain, i, left, right)
        if best is None or best[0] < 1e-12:
            return []
        gain, i, left, right = best
        k, k1, k2 = (int((c > 0).sum()) for c in (all_counts, left, right))
        delta = math.log2(3 ** k - 2) - (k * h - k1 * entropy(left) - k2 * entropy(right))
        if gain <= (math.log2(n - 1) + delta) / n:
            return []
        return part(lo, i) + [(x[i - 1] + x[i]) / 2] + part(i, hi)

    return part(0, len(x))


def check_unsupervised(rng):
    for trial in range(12):
        n = int(rng.integers(20, 400))
        x = rng.normal(size=n)
        if trial % 3 == 0:
            x = np.round(x, 1)
        x *= 10.0 ** rng.integers(-3, 4)
        name = write("u.csv", pd.DataFrame({"x": x, "class": rng.choice(["a", "b"], n)}))
        for k in (2, 3, 7):
            _, edges = pd.cut(x, k, retbins=True)
            agree("equal width", cuts(name, "bins:%d,columns=x" % k, "bins"), edges[1:-1])
            _, edges = pd.qcut(x, k, retbins=True, duplicates="drop")
            spec = "bins:%d,method=frequency,quantile=linear" % k
            agree("equal frequency", cuts(name, spec, "bins"), edges[1:-1])


def check_ranks(rng):
    for n in (10, 15, 101):
        x = rng.permutation(n) + 0.5
        name = write("r.csv", pd.DataFrame({"x": x, "class": rng.choice(["a", "b"], n)}))
        for k in (2, 3, 5):
            run("convert", name, path("out.csv"), "--target", "class", "--with",
                "bins:%d,method=frequency,output=codes" % k)
            rank = np.argsort(np.argsort(x))
            agree("bins by rank", pd.read_csv(path("out.csv")).x, rank * k // n + 1)


def check_mdl(rng):
    for trial in range(20):
        n, k = int(rng.integers(30, 300)), int(rng.integers(2, 6))
        x = rng.normal(size=n)
        y = np.clip(np.floor((x + rng.normal(size=n) * rng.choice([0.1, 0.4, 1])) * 1.3 + k / 2),
                    0, k - 1).astype(int)
        if trial % 2:
            x = np.round(x, 1)
        name = write("m.csv", pd.DataFrame({"x": x, "class": ["c%d" % c for c in y]}))
        agree("MDL", cuts(name, "discretise:mdl=yes,columns=x", "discretise"), mdl_cuts(x, y, k))


def check_isotonic(rng):
    for trial in range(12):
        n = int(rng.integers(20, 500))
        x = rng.normal(size=n)
        if trial % 3 == 0:
            x = np.round(x, 1)
        rising = trial % 2 == 0
        y = ((x if rising else -x) + rng.normal(size=n) > 0).astype(int)
        name = write("i.csv", pd.DataFrame({"x": x, "class": np.where(y, "yes", "no")}))
        new = np.concatenate([rng.normal(size=200) * 1.5, x])
        other = write("n.csv", pd.DataFrame({"x": new}))
        run("convert", name, path("out.csv"), "--target", "class", "--with", "calibrate:isotonic",
            "--save", path("map.recipe"))
        run("convert", other, path("out.csv"), "--recipe", path("map.recipe"))
        theirs = IsotonicRegression(increasing=rising, out_of_bounds="clip").fit(x, y)
        agree("isotonic", pd.read_csv(path("out.csv")).x, theirs.predict(new))


def check_logistic(rng):
    for trial in range(6):
        n = int(rng.integers(20, 500))
        y = rng.integers(0, 2, n)
        x = rng.normal(size=n) + y
        name = write("l.csv", pd.DataFrame({"x": x, "class": np.where(y, "yes", "no")}))
        pooled = "ml" if trial % 2 else "unbiased"
        run("convert", name, path("out.csv"), "--target", "class", "--with",
            "calibrate:logistic,output=log-odds,pooled=" + pooled)
        up, down = x[y == 1], x[y == 0]
        squares = ((up - up.mean()) ** 2).sum() + ((down - down.mean()) ** 2).sum()
        gamma = (up.mean() - down.mean()) / (squares / (n if trial % 2 else n - 2))
        agree("logistic", pd.read_csv(path("out.csv")).x,
              gamma * (x - (up.mean() + down.mean()) / 2))


generator = np.random.default_rng(11)
for check in (check_unsupervised, check_ranks, check_mdl, check_isotonic, check_logistic):
    check(generator)
print("discretise: all %d comparisons agree to %g" % (checks, TOLERANCE))

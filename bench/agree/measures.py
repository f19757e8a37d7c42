#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures, curves and calibration maps against scikit-learn and scipy on random inputs: with ties,
without a class, tiny, weighted. Prints the largest difference of every measure and fails when one
is above 1e-10 (1e-7 for maps that are found by iteration). `--build DIR --trials N`."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import warnings

import mpmath
import numpy as np
from scipy import stats
from sklearn import metrics
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
worst = {}
ITERATED = ("platt",)


def note(name, ours, theirs, where):
    ours = math.nan if ours is None else float(ours)
    theirs = math.nan if theirs is None else float(theirs)
    if math.isnan(ours) and math.isnan(theirs):
        difference = 0.0
    elif math.isinf(ours) or math.isinf(theirs):
        difference = 0.0 if ours == theirs else math.inf
    else:
        difference = abs(ours - theirs) / max(1.0, abs(theirs))
    if math.isnan(difference):
        difference = math.inf
    count, largest, at = worst.get(name, (0, 0.0, ""))
    if difference > largest:
        largest, at = difference, "%s: %.17g and %.17g" % (where, ours, theirs)
    worst[name] = (count + 1, largest, at)


class Cairn:
    def __init__(self, build, folder):
        self.program = os.path.join(build, "cairn")
        self.path = os.path.join(folder, "data.csv")

    def run(self, topic, columns, *options):
        """Write the columns and run one calculator; its values, or None when it refuses."""
        names = list(columns)
        with open(self.path, "w") as out:
            out.write(",".join(names) + "\n")
            for row in zip(*columns.values()):
                out.write(",".join(repr(float(v)) if isinstance(v, (float, np.floating)) else str(v)
                                   for v in row) + "\n")
        done = subprocess.run([self.program, "compute", topic, self.path, "--format", "json"] +
                              list(options), capture_output=True, text=True)
        if done.returncode:
            return None
        return {k: number(v) for k, v in json.loads(done.stdout)["values"].items()}


def number(value):
    return {"inf": math.inf, "-inf": -math.inf}.get(value, value)


def weights_of(random, n):
    kind = random.integers(3)
    return np.ones(n) if kind == 0 else random.integers(1, 5, n).astype(float) if kind == 1 \
        else random.uniform(0.01, 3, n)


def binary(cairn, random, n, where):
    actual, said = random.integers(0, 2, n), random.integers(0, 2, n)
    w = weights_of(random, n)
    v = cairn.run("confusion", {"actual": ["c%d" % a for a in actual],
                                "predicted": ["c%d" % a for a in said], "w": w},
                  "--target", "actual", "--weight", "w", "--positive", "c1", "--kinds",
                  "actual=level,predicted=level")
    if v is None or "f" not in v:
        return
    args = dict(sample_weight=w)
    zero = dict(zero_division=0, **args)
    tn, fp, fn, tp = metrics.confusion_matrix(actual, said, labels=[0, 1], **args).ravel()
    for name, theirs in (("tp", tp), ("fp", fp), ("fn", fn), ("tn", tn)):
        note(name, v[name], theirs, where)
    note("accuracy", v["accuracy"], metrics.accuracy_score(actual, said, **args), where)
    note("precision", v["precision"],
         metrics.precision_score(actual, said, **zero) if tp + fp > 0 else math.nan, where)
    note("recall", v["recall"],
         metrics.recall_score(actual, said, **zero) if tp + fn > 0 else math.nan, where)
    if tp + fp + fn > 0:
        note("f", v["f"], 2 * tp / (2 * tp + fp + fn), where)
    if 0 < actual.sum() < n:
        note("average_recall", v["average_recall"],
             metrics.balanced_accuracy_score(actual, said, **args), where)
    if 0 < actual.sum() < n and 0 < said.sum() < n:
        note("correlation", v["correlation"], metrics.matthews_corrcoef(actual, said, **args), where)
        note("kappa", v["kappa"], metrics.cohen_kappa_score(actual, said, **args), where)


Z = stats.norm.ppf(0.975)


def t_quantile(df):
    """The point below which 97.5 per cent lie; scipy's has nine digits."""
    tail = lambda x: mpmath.betainc(mpmath.mpf(df) / 2, 0.5, 0, df / (df + x * x),
                                    regularized=True) / 2 - mpmath.mpf("0.025")
    return float(mpmath.findroot(tail, stats.t.ppf(0.975, df)))


def share_interval(part, whole):
    """Clopper and Pearson for few rows or extreme shares, else normal."""
    p = part / whole
    if whole < 30 or whole * p * (1 - p) < 5:
        return (stats.beta.ppf(0.025, part, whole - part + 1) if part > 0 else 0.0,
                stats.beta.ppf(0.975, part + 1, whole - part) if part < whole else 1.0)
    half = Z * math.sqrt(p * (1 - p) / whole)
    return max(0.0, p - half), min(1.0, p + half)


def delta_interval(measure, counts, least):
    """The delta method for multinomial counts; the gradient by a complex step."""
    counts = np.array(counts, dtype=float)
    gradient = np.array([measure(counts + 1e-30j * np.eye(len(counts))[i]).imag / 1e-30
                         for i in range(len(counts))])
    variance = (counts * gradient ** 2).sum() - (counts * gradient).sum() ** 2 / counts.sum()
    value, half = measure(counts + 0j).real, Z * math.sqrt(max(0.0, variance))
    return max(least, value - half), min(1.0, value + half)


def kappa_of(cells):
    k = int(round(math.sqrt(len(cells))))
    table = cells.reshape(k, k) / cells.sum()
    chance = (table.sum(axis=0) * table.sum(axis=1)).sum()
    return (np.trace(table) - chance) / (1 - chance)


def intervals(cairn, random, n, where):
    """Typed counts: every interval of a confusion table."""
    counts = random.integers(0, max(2, n // 2), 4) + random.integers(0, 2, 4)
    tp, fn, fp, tn = (float(c) for c in counts)
    if min(tp + fn, fp + tn, tp + fp, fn + tn, tp) == 0:
        return
    v = cairn.run("confusion", {"p": [tp, fp], "n": [fn, tn]}, "--kinds", "p=number,n=number",
                  "--positive", "p")
    for name, part, whole in (("accuracy", tp + tn, counts.sum()), ("tpr", tp, tp + fn),
                              ("tnr", tn, fp + tn), ("precision", tp, tp + fp)):
        low, high = share_interval(part, whole)
        note("interval.share", v[name + ".low"], low, where)
        note("interval.share", v[name + ".high"], high, where)
    for name, measure, least in (
            ("f", lambda c: 2 * c[0] / (2 * c[0] + c[1] + c[2]), 0),
            ("average_recall", lambda c: (c[0] / (c[0] + c[1]) + c[3] / (c[2] + c[3])) / 2, 0),
            ("kappa", kappa_of, -1)):
        low, high = delta_interval(measure, (tp, fn, fp, tn), least)
        note("interval." + name, v[name + ".low"], low, where)
        note("interval." + name, v[name + ".high"], high, where)


def delong(y, s):
    """Interval of the area from the placements of every row among the rows of the other class."""
    p, q = s[y == 1], s[y == 0]
    wins = (p[:, None] > q[None, :]) + 0.5 * (p[:, None] == q[None, :])
    above, below = wins.mean(axis=1), wins.mean(axis=0)
    half = Z * math.sqrt(above.var(ddof=1) / len(p) + below.var(ddof=1) / len(q))
    return max(0.0, wins.mean() - half), min(1.0, wins.mean() + half)


def two_areas(cairn, random, n, where):
    """The test of two areas of the same rows, from the placements of every row."""
    y = random.integers(0, 2, n)
    if min(y.sum(), n - y.sum()) < 2:
        return
    a = random.integers(0, 8, n) / 4.0 + 0.4 * y
    b = random.normal(size=n) + 0.5 * a * random.integers(2)
    v = cairn.run("roc", {"y": ["c%d" % c for c in y], "a": a, "b": b}, "--target", "y", "--score",
                  "a,b", "--positive", "c1", "--kinds", "y=level,a=number,b=number")
    places = []
    for s in (a, b):
        p, q = s[y == 1], s[y == 0]
        wins = (p[:, None] > q[None, :]) + 0.5 * (p[:, None] == q[None, :])
        places.append((wins.mean(axis=1), wins.mean(axis=0)))
    apart = [places[0][i] - places[1][i] for i in (0, 1)]
    difference = apart[0].mean()
    error = math.sqrt(sum(d.var(ddof=1) / len(d) for d in apart))
    note("two_areas.difference", v["a-b.difference"], difference, where)
    if error > 1e-12:
        note("two_areas.z", v["a-b.z"], difference / error, where)
        note("two_areas.p", v["a-b.p"], 2 * stats.norm.sf(abs(difference / error)), where)
        note("two_areas.low", v["a-b.low"], max(-1, difference - Z * error), where)


def expected_accuracy(y, s):
    """Mean accuracy over all cuts; ties in random order, so that a cut inside takes its share."""
    order = np.unique(s)[::-1]
    pos = [(y[s == t] == 1).sum() for t in order]
    size = [(s == t).sum() for t in order]
    right = float((y == 0).sum())
    rights = [right]
    for p, m in zip(pos, size):
        for _ in range(m):
            right += (2.0 * p - m) / m
            rights.append(right)
    return np.mean(rights) / len(y)


def several(cairn, random, n, where):
    k = int(random.integers(3, 6))
    actual, said = random.integers(0, k, n), random.integers(0, k, n)
    w = weights_of(random, n)
    v = cairn.run("confusion", {"actual": ["c%d" % a for a in actual],
                                "predicted": ["c%d" % a for a in said], "w": w},
                  "--target", "actual", "--weight", "w", "--kinds", "actual=level,predicted=level")
    classes = sorted(set(actual) | set(said))
    if v is None or len(classes) < 3:
        return
    note("several.accuracy", v["accuracy"], metrics.accuracy_score(actual, said, sample_weight=w),
         where)
    p, r, f, _ = metrics.precision_recall_fscore_support(actual, said, labels=classes,
                                                         sample_weight=w, zero_division=0)
    for i, c in enumerate(classes):
        note("several.precision", v["precision.c%d" % c], p[i] if c in said else math.nan, where)
        note("several.recall", v["recall.c%d" % c], r[i] if c in actual else math.nan, where)
    note("several.kappa", v["kappa"], metrics.cohen_kappa_score(actual, said, sample_weight=w)
         if len(set(actual)) > 1 else v["kappa"], where)
    present = sorted(set(actual))
    r0 = metrics.recall_score(actual, said, labels=present, average="macro", sample_weight=w)
    note("several.mean_recall", v["recall"], r0, where)
    note("several.weighted_recall", v["weighted.recall"],
         metrics.recall_score(actual, said, labels=present, average="weighted", sample_weight=w),
         where)
    note("several.weighted_precision", v["weighted.precision"],
         metrics.precision_score(actual, said, labels=present, average="weighted", sample_weight=w,
                                 zero_division=0), where)


def ranking(cairn, random, n, where):
    y = random.integers(0, 2, n)
    s = random.normal(size=n) if random.integers(2) else random.integers(0, 6, n) / 4.0
    s = s + 0.3 * y * random.integers(2)
    w = weights_of(random, n)
    v = cairn.run("roc", {"y": ["c%d" % c for c in y], "s": s.astype(float), "w": w},
                  "--target", "y", "--score", "s", "--weight", "w", "--positive", "c1", "--kinds",
                  "y=level,s=number")
    if v is None:
        return
    if y.min() == y.max():
        note("auc", v["auc"], math.nan, where)
        return
    fpr, tpr, _ = metrics.roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    note("auc", v["auc"], metrics.auc(fpr, tpr), where)
    note("average_precision", v["average_precision"],
         metrics.average_precision_score(y, s, sample_weight=w), where)
    note("curve.points", v["segments"] + 1, len(fpr), where)
    for i in range(min(len(fpr), 40)):
        note("curve.fpr", v["point%d.fpr" % i], fpr[i], where)
        note("curve.tpr", v["point%d.tpr" % i], tpr[i], where)
    if np.all(w == 1) and min(y.sum(), n - y.sum()) > 1:
        low, high = delong(y, s)
        note("auc.interval", v["auc.low"], low, where)
        note("auc.interval", v["auc.high"], high, where)
    if np.all(w == 1):
        e = cairn.run("expected-accuracy", {"y": ["c%d" % c for c in y], "s": s.astype(float)},
                      "--target", "y", "--score", "s", "--positive", "c1", "--kinds",
                      "y=level,s=number")
        note("expected_accuracy", e["expected_accuracy"], expected_accuracy(y, s), where)
        u = stats.mannwhitneyu(s[y == 1], s[y == 0]).statistic
        note("auc.mann_whitney", v["auc"], u / (y.sum() * (n - y.sum())), where)
    iso = IsotonicRegression().fit(s, y, sample_weight=w)
    c = cairn.run("calibrate", {"y": ["c%d" % c for c in y], "s": s.astype(float), "w": w},
                  "--target", "y", "--score", "s", "--weight", "w", "--positive", "c1", "--kinds",
                  "y=level,s=number")
    order = np.unique(s)[::-1]
    for i in range(min(len(order), 40)):
        note("isotonic", c["at%d.isotonic" % (i + 1)], iso.predict([order[i]])[0], where)
    platt(cairn, y, s, w, where)


def platt(cairn, y, s, w, where):
    if len(np.unique(s)) < 3 or max(s[y == 0]) <= min(s[y == 1]) or max(s[y == 1]) <= min(s[y == 0]):
        return
    c = cairn.run("calibrate", {"y": ["c%d" % c for c in y], "s": s.astype(float), "w": w},
                  "--target", "y", "--score", "s", "--weight", "w", "--positive", "c1", "--kinds",
                  "y=level,s=number", "--method", "platt", "--at", "0,0.5")
    if c is None:
        return
    theirs = LogisticRegression(C=1e14, tol=1e-12, max_iter=100000, solver="newton-cholesky")
    theirs.fit(s[:, None], y, sample_weight=w)
    if abs(theirs.coef_[0, 0]) > 30:
        return
    p = theirs.predict_proba([[0.0], [0.5]])[:, 1]
    note("platt", c["at1.platt"], p[0], where)
    note("platt", c["at2.platt"], p[1], where)


def probabilities(cairn, random, n, where):
    k = int(random.integers(2, 5))
    y = random.integers(0, k, n)
    y[:k] = np.arange(k)[:n]
    if n < k:
        return
    p = random.dirichlet(np.ones(k), size=n)
    if random.integers(2):
        p = np.round(p * 4) + 0.5
        p = p / p.sum(axis=1, keepdims=True)
    w = weights_of(random, n)
    columns = {"c%d" % i: p[:, i] for i in range(k)}
    columns.update({"y": ["c%d" % c for c in y], "w": w})
    options = ["--target", "y", "--weight", "w", "--kinds", "y=level", "--scores",
               ",".join("c%d" % i for i in range(k))]
    v = cairn.run("brier", columns, *options)
    note("log_loss", v["log_loss"], metrics.log_loss(y, p, sample_weight=w, labels=range(k)), where)
    hot = np.eye(k)[y]
    note("brier", v["mse"], np.average(((p - hot) ** 2).sum(axis=1), weights=w) / 2, where)
    if k == 2:
        note("brier.two", v["mse"], metrics.brier_score_loss(y, p[:, 1], sample_weight=w), where)
    note("decomposition", v["calibration"] + v["refinement"], v["mse"], where)
    areas(cairn, columns, options, y, p, w, k, where)


def areas(cairn, columns, options, y, p, w, k, where):
    v = cairn.run("multiclass-auc", columns, *options)
    if k == 2:
        note("rest.two", v["rest.mean"], metrics.roc_auc_score(y, p[:, 1], sample_weight=w), where)
        return
    for average, name in (("macro", "rest.mean"), ("weighted", "rest.weighted")):
        note(name, v[name], metrics.roc_auc_score(y, p, multi_class="ovr", average=average,
                                                  sample_weight=w), where)
    if np.all(w == 1):
        note("one.mean", v["one.mean"],
             metrics.roc_auc_score(y, p, multi_class="ovo", average="macro"), where)
        v = cairn.run("multiclass-auc", columns, *options, "--average", "shares")
        note("one.shares", v["one.weighted"],
             metrics.roc_auc_score(y, p, multi_class="ovo", average="weighted"), where)


def numbers(cairn, random, n, where):
    y, p, w = random.normal(3, 2, n), random.normal(3, 2, n), weights_of(random, n)
    if random.integers(2):
        y = np.round(y)
    v = cairn.run("errors", {"y": y, "p": p, "w": w}, "--actual", "y", "--predicted", "p",
                  "--weight", "w", "--kinds", "y=number,p=number")
    note("mse", v["mse"], metrics.mean_squared_error(y, p, sample_weight=w), where)
    note("mae", v["mae"], metrics.mean_absolute_error(y, p, sample_weight=w), where)
    note("largest", v["largest"], metrics.max_error(y, p), where)
    if n > 1 and np.all(w == 1):
        for name, values in (("mse", (p - y) ** 2), ("mae", abs(p - y)), ("bias", p - y)):
            half = t_quantile(n - 1) * values.std(ddof=1) / math.sqrt(n)
            low = values.mean() - half
            note("interval.mean", v[name + ".low"], low if name == "bias" else max(0, low), where)
            note("interval.mean", v[name + ".high"], values.mean() + half, where)
    if n > 1 and np.ptp(y) > 0:
        note("r2", v["r2"], metrics.r2_score(y, p, sample_weight=w), where)
    if np.all(y != 0):
        note("relative", v["relative"],
             metrics.mean_absolute_percentage_error(y, p, sample_weight=w), where)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build")
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        cairn = Cairn(options.build, folder)
        for trial in range(options.trials):
            n = int(random.choice([1, 2, 3, 5, 10, 40, 300]))
            for check in (binary, intervals, several, ranking, two_areas, probabilities, numbers):
                check(cairn, random, n, "trial %d, n = %d" % (trial, n))
    bad = 0
    for name in sorted(worst):
        count, largest, at = worst[name]
        limit = 1e-7 if name in ITERATED else 1e-10
        bad += largest > limit
        print("%-28s %6d compared, largest difference %.2g%s" %
              (name, count, largest, "   " + at if largest > limit else ""))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A search for wrong answers of what iterates or searches outside linear models: k-means, k-medoids, kernel
k-means, hierarchies, hdbscan, optics, mixtures, Gaussian classes with missing cells, hidden Markov models,
EM of counts, factors, medians and stationary shares. Random problems of nasty kinds (equal rows, columns
that are combinations of others or constant, scales from 1e-8 to 1e8, places far from 0, ties, few rows,
more clusters than different rows, weights) are solved. Each answer must have its certificate, or the
problem must be refused for what it is; an answer that its own certificate refuses is a finding. Beside it
stand brute force of tiny problems and numpy: all partitions, all sets of medoids, scipy's heights, and
log-likelihoods and forward passes worked out again from the parameters that are told.
Usage: bench/agree/search_random.py [BUILD] [--problems 2000] [--seed 1] [--only NAME,...] [--keep FOLDER];
exit 0 when nothing was found. `--keep` writes each finding with its command line."""
import argparse
import itertools
import json
import os
import subprocess
import sys
import time
import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import cdist, pdist

options = argparse.ArgumentParser()
options.add_argument("build", nargs="?", default="build")
options.add_argument("--problems", type=int, default=2000)
options.add_argument("--seed", type=int, default=1)
options.add_argument("--only", default="")
options.add_argument("--keep")
options = options.parse_args()
CAIRN = os.path.abspath(os.path.join(options.build, "cairn"))
PLAIN = ["--scale", "none"]


class Wrong(Exception):
    """What is wrong with an answer."""


# -- problems --

def numbers(random, most=24, columns=4):
    """A table of nasty numbers; returns it and the word for its kind."""
    n, d = int(random.integers(1, most + 1)), int(random.integers(1, columns + 1))
    kind = random.choice(["normal", "lattice", "equal", "collinear", "constant", "scales", "far", "few", "tiny", "huge"])
    x = random.normal(size=(n, d))
    if kind == "lattice":
        x = random.integers(0, 4, size=(n, d)).astype(float)
    elif kind == "equal":
        x = x[random.integers(0, max(1, n // 3), size=n)]
    elif kind == "few":
        x = random.integers(0, 2, size=(n, d)).astype(float)
    elif kind == "collinear":
        x = np.outer(x[:, 0], random.integers(-3, 4, size=d)) + random.integers(0, 2) * x[:, :1]
    elif kind == "constant":
        x[:, random.integers(0, d)] = random.normal() * 10.0 ** random.integers(-8, 9)
    elif kind == "scales":
        x = x * 10.0 ** random.integers(-8, 9, size=d)
    elif kind == "far":
        x = x + random.choice([1e3, 1e6, 1e8, -1e8], size=d)
    elif kind == "tiny":
        x = x * 1e-8
    elif kind == "huge":
        x = x * 1e8
    return x, str(kind)


def weights_of(random, n):
    """Weights of the rows, or None: all count the same."""
    how = random.integers(0, 4)
    if how == 0:
        return random.integers(0, 4, size=n).astype(float)
    if how == 1:
        return 10.0 ** random.uniform(-3, 3, size=n)
    return None


def text_of(x, weights=None, target=None, missing=None):
    """The table as CSV."""
    heads = ["c%d" % j for j in range(x.shape[1])]
    heads += (["w"] if weights is not None else []) + (["y"] if target is not None else [])
    lines = [",".join(heads)]
    for i, row in enumerate(x):
        cells = ["" if missing is not None and missing[i, j] else "%.17g" % v for j, v in enumerate(row)]
        cells += (["%.17g" % weights[i]] if weights is not None else []) + ([target[i]] if target is not None else [])
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


# -- answers --

last = {}


def ask(words, text, code_ok=(0, 2, 3)):
    """The values of a report, or None where the problem was refused."""
    last.update(words=words, text=text)
    done = subprocess.run([CAIRN, *words, "--threads", "1", "--format", "json"], input=text, capture_output=True, text=True, timeout=120)
    if done.returncode not in code_ok:
        raise Wrong("exit %d: %s" % (done.returncode, done.stderr.strip()[-300:]))
    if done.returncode:
        last["refusal"] = done.stderr.strip()
        return None
    values = json.loads(done.stdout)["values"]
    proofs = [v for k, v in values.items() if k.startswith("certificate.")]
    if not proofs:
        raise Wrong("no certificate")
    last["limited"] = "ended by a limit" in done.stderr
    return values


def near(what, ours, theirs, tolerance=1e-7, size=0.0):
    if not abs(ours - theirs) <= tolerance * max(abs(ours), abs(theirs), size, 1e-300):
        raise Wrong("%s is %.17g, should be %.17g" % (what, ours, theirs))


def clusters_of(random, n):
    return int(random.integers(1, max(2, min(n, 6)) + 1))


def grid(values, name, k, d):
    """Numbers called NAME.1.c0 and so on."""
    return np.array([[values["%s.%d.c%d" % (name, c + 1, j)] for j in range(d)] for c in range(k)])


# -- solvers --

def kmeans(random):
    x, kind = numbers(random)
    w = weights_of(random, len(x))
    k = clusters_of(random, len(x))
    words = ["fit", "kmeans", "-", "--clusters", str(k), *PLAIN]
    exact = len(x) <= 8 and random.integers(0, 2)
    words += (["--weight", "w"] if w is not None else [])
    words += ["--exact"] if exact else random.choice([["--tie", "last"], ["--empty", "keep"], ["--empty", "drop"],
                                                     ["--method", "bounds"], ["--init", "random"], ["--form", "spherical"],
                                                     ["--starts", "1"]]).tolist()
    values = ask(words, text_of(x, w))
    if values is None or "spherical" in words:
        return
    w = np.ones(len(x)) if w is None else w
    centres = np.array([[values.get("centre%d.c%d" % (c + 1, j), np.nan) for j in range(x.shape[1])] for c in range(k)])
    centres = centres[~np.isnan(centres).any(axis=1)]
    squares = ((x[:, None, :] - centres[None]) ** 2).sum(axis=2)
    cost = float((w * squares.min(axis=1)).sum())
    slack = 1e-13 * float((w[:, None] * x ** 2).sum())
    if abs(values["inertia"] - cost) > 1e-9 * cost + slack:
        raise Wrong("inertia %.17g, from the centres %.17g" % (values["inertia"], cost))
    if not exact or k > 3:
        return
    best = np.inf
    for groups in itertools.product(range(k), repeat=len(x)):
        total = 0.0
        groups = np.array(groups)
        for c in range(k):
            at = (groups == c) & (w > 0)
            if at.any():
                mean = np.average(x[at], axis=0, weights=w[at])
                total += float((w[at, None] * (x[at] - mean) ** 2).sum())
        best = min(best, total)
    if values["inertia"] > best * (1 + 1e-9) + slack:
        raise Wrong("exact: %.17g, the best partition has %.17g" % (values["inertia"], best))


def kmedoids(random):
    x, kind = numbers(random)
    w = weights_of(random, len(x))
    k = clusters_of(random, len(x))
    method = str(random.choice(["pam", "eager", "alternate", "sample", "exact"]))
    metric = str(random.choice(["euclidean", "manhattan"]))
    words = ["fit", "kmedoids", "-", "--clusters", str(k), "--distance", metric, *PLAIN]
    words += (["--weight", "w"] if w is not None else [])
    words += ["--exact"] if method == "exact" else ["--method", method]
    values = ask(words, text_of(x, w))
    if values is None:
        return
    w = np.ones(len(x)) if w is None else w
    d = cdist(x, x, "cityblock" if metric == "manhattan" else metric)
    found = [int(values["cluster%d.medoid" % (c + 1)]) - 1 for c in range(k)]
    cost = lambda rows: float((w * d[:, list(rows)].min(axis=1)).sum())
    size = float(w.sum() * np.abs(x).max())
    near("cost", values["cost"], cost(found), 1e-9, 1e-6 * size)
    used = [i for i in range(len(x)) if w[i] > 0]
    if method in ("pam", "eager"):
        best = min([cost([i if m == o else m for m in found]) for o in found for i in used if i not in found] or [np.inf])
    elif method == "exact" and len(used) <= 12:
        best = min(cost(rows) for rows in itertools.combinations(used, k))
    else:
        return
    if best < values["cost"] * (1 - 1e-9) - 1e-13 * size:
        raise Wrong("%s: cost %.17g, another has %.17g" % (method, values["cost"], best))


def kernel_kmeans(random):
    x, kind = numbers(random)
    w = weights_of(random, len(x))
    words = ["fit", "kernel-kmeans", "-", "--clusters", str(clusters_of(random, len(x))),
             "--assign", str(random.choice(["average", "mean"])), "--kernel", str(random.choice(["rbf", "linear", "poly", "laplace"]))]
    if random.integers(0, 2):
        words += PLAIN
    ask(words + (["--weight", "w"] if w is not None else []), text_of(x, w))


LINKAGES = ["single", "complete", "average", "weighted", "centroid", "median", "ward"]


def hierarchy(random):
    x, kind = numbers(random, 60 if random.integers(0, 4) == 0 else 20)
    w = weights_of(random, len(x)) if random.integers(0, 2) else None
    method = str(random.choice(LINKAGES + ["diana", "bisecting"]))
    words = ["fit", "hierarchy", "-", *PLAIN]
    words += ["--linkage", method] if method in LINKAGES else ["--method", method]
    words += (["--weight", "w"] if w is not None else [])
    values = ask(words, text_of(x, w))
    if values is None or w is not None or method not in LINKAGES or len(x) < 2:
        return
    heights = np.sort([values["merge%d.height" % (i + 1)] for i in range(len(x) - 1)])
    if len(heights) == len(x) - 1 and (kind in ("normal", "scales", "tiny", "huge") or method == "single"):
        theirs = np.sort(linkage(x, method)[:, 2])
        away = np.abs(heights - theirs).max()
        if away > 1e-9 * theirs.max() + 1e-13 * np.abs(x).max():
            raise Wrong("heights of %s differ from scipy's by %g" % (method, away))


def hdbscan(random):
    x, kind = numbers(random, 60)
    w = weights_of(random, len(x))
    words = ["fit", "hdbscan", "-", "--min-size", str(random.integers(2, 7)), *PLAIN]
    if random.integers(0, 2):
        words += ["--min-points", str(random.integers(1, 6))]
    ask(words + (["--weight", "w"] if w is not None else []), text_of(x, w))


def optics(random):
    x, kind = numbers(random, 60)
    w = weights_of(random, len(x))
    words = ["fit", "optics", "-", "--min-points", str(random.integers(1, 7)), *PLAIN]
    if random.integers(0, 2):
        words += ["--eps", "%.17g" % random.choice(pdist(x) if len(x) > 1 else [1])]
    if "--eps" in words and float(words[-1]) <= 0:
        words = words[:-2]
    ask(words + (["--weight", "w"] if w is not None else []), text_of(x, w))


def log_normal(x, mean, covariance):
    """ln of the density of what is there of rows."""
    at = ~np.isnan(x)
    if not at.any():
        return 0.0
    c = covariance[np.ix_(at, at)]
    scale = np.sqrt(np.diag(c))
    lower = np.linalg.cholesky(c / np.outer(scale, scale))
    y = np.linalg.solve(lower, (x[at] - mean[at]) / scale)
    return float(-0.5 * (y @ y) - np.log(np.diag(lower)).sum() - np.log(scale).sum() - 0.5 * at.sum() * np.log(2 * np.pi))


def mixture(random):
    x, kind = numbers(random, 40)
    w = weights_of(random, len(x))
    n, d = x.shape
    missing = random.uniform(size=x.shape) < 0.15 if random.integers(0, 3) == 0 else None
    k = int(random.integers(1, 5))
    form = str(random.choice(["full", "tied", "diagonal", "spherical"]))
    words = ["fit", "mixture", "-", "--components", str(k), "--covariance", form, "--floor", str(random.choice(["1e-6", "1e-3", "1e-9"])),
             "--starts", "2", "--init", str(random.choice(["kmeans", "random"]))]
    values = ask(words + (["--weight", "w"] if w is not None else []), text_of(x, w, None, missing))
    if values is None or kind in ("far", "constant", "scales", "collinear"):
        return  # the parameters that are told have too few digits there
    x = x.copy()
    if missing is not None:
        x[missing] = np.nan
    w = np.ones(n) if w is None else w
    try:
        means = grid(values, "mean", k, d)
        total, size = 0.0, 0.0
        covariances = []
        for c in range(k):
            s = np.zeros((d, d))
            for a in range(d):
                for b in range(d):
                    if a == b:
                        s[a, b] = values["variance.%d.c%d" % (c + 1, a)]
                    else:
                        s[a, b] = values.get("covariance.%d.c%d.c%d" % (1 if form == "tied" else c + 1, a, b), 0.0)
            covariances.append(s)
    except KeyError:
        return
    for i in range(n):
        if w[i] > 0:
            logs = [np.log(values["weight.%d" % (c + 1)]) + log_normal(x[i], means[c], covariances[c])
                    for c in range(k) if values["weight.%d" % (c + 1)] > 0]
            total += w[i] * np.logaddexp.reduce(logs)
            size += w[i] * abs(np.logaddexp.reduce(logs))
    near("log-likelihood", values["log_likelihood"], float(total), 1e-6, size)


def gaussian(random):
    x, kind = numbers(random, 40)
    n, d = x.shape
    w = weights_of(random, n)
    missing = random.uniform(size=x.shape) < random.choice([0.05, 0.2, 0.5])
    target = [str(t) for t in random.choice(["a", "b", "c"], size=n)]
    words = ["fit", "gaussian", "-", "--target", "y", "--covariance", str(random.choice(["shared", "own", "diagonal", "identity"]))]
    if random.integers(0, 4) == 0:
        words += ["--shrinkage", "0.2"]
    seen = np.ones(n, bool) if w is None else w > 0
    if not missing[seen].any():
        missing[0, 0] = True
        if w is not None:
            w[0] = 1
    ask(words + (["--weight", "w"] if w is not None else []), text_of(x, w, target, missing))


def steps_of(random, names):
    """Sequences as a table with one column."""
    n = int(random.integers(1, 8))
    how = random.integers(0, 3)
    rows = []
    for _ in range(n):
        length = int(random.integers(1, 40 if how else 4))
        row = random.integers(0, len(names), size=length)
        if how == 2:
            row[:] = np.sort(row)
        rows.append([names[i] for i in row])
    return rows


def forward(values, states, rows, symbols):
    start = np.array([values["start.s%d" % (i + 1)] for i in range(states)])
    move = np.array([[values["move.s%d.s%d" % (i + 1, j + 1)] for j in range(states)] for i in range(states)])
    emit = {s: np.array([values["emit.s%d.%s" % (i + 1, s)] for i in range(states)]) for s in symbols}
    total = 0.0
    for row in rows:
        alpha = start
        for t, symbol in enumerate(row):
            alpha = (alpha if t == 0 else alpha @ move) * emit[symbol]
            total += np.log(alpha.sum())
            alpha = alpha / alpha.sum()
    return float(total)


def hmm(random):
    states = int(random.integers(1, 5))
    words = ["fit", "hmm", "-", "--states", str(states), "--starts", "2", "--max-iter", str(random.choice([0, 1, 50, 300]))]
    if random.integers(0, 2):
        x, kind = numbers(random, 60, 3)
        words += ["--floor", str(random.choice(["1e-3", "1e-6", "1e-9"]))]
        missing = random.uniform(size=x.shape) < 0.1 if random.integers(0, 3) == 0 else None
        ask(words, text_of(x, None, None, missing))
        return
    smooth = str(random.choice(["0", "0", "0.5", "1e-3"]))
    rows = steps_of(random, ["A", "B", "C"][: int(random.integers(1, 4))])
    text = "s\n" + "".join(" ".join(row) + "\n" for row in rows)
    values = ask(words + ["--smooth", smooth, "--kinds", "s=sequence"], text)
    if values is None:
        return
    symbols = sorted({s for row in rows for s in row})
    prior = 0.0
    if float(smooth) > 0:
        prior = float(smooth) * sum(np.log(v) for k, v in values.items() if k.startswith(("move.s", "emit.s")))
    near("log-likelihood", values["log_likelihood"], forward(values, states, rows, symbols) + prior, 1e-8, 1e-6)


def hmm_classifier(random):
    rows = steps_of(random, ["A", "B", "C"]) + steps_of(random, ["A", "B"])
    text = "s,y\n" + "".join(" ".join(row) + "," + str(random.choice(["u", "v"])) + "\n" for row in rows)
    words = ["fit", "hmm-classifier", "-", "--target", "y", "--states", str(random.integers(1, 4)), "--starts", "2",
             "--smooth", str(random.choice(["0", "0.1"])), "--kinds", "s=sequence"]
    ask(words, text)


def em(random):
    n = int(random.integers(2, 6))
    slopes = random.integers(-3, 4, size=n).astype(float)
    slopes[-1] -= slopes.sum()
    constants = random.integers(1, 5, size=n).astype(float)
    constants /= constants.sum()
    names = "abcdef"[:n]
    cells = ";".join("%s=%.17g+%.17g*t" % (names[j], constants[j], slopes[j]) for j in range(n))
    groups = random.integers(0, max(1, n - 1), size=n)
    counts = random.integers(0, 50, size=n)
    scale = float(random.choice([1, 1e-6, 1e6]))
    seen = ";".join("+".join(names[j] for j in range(n) if groups[j] == g) + "=%.17g" % (counts[g] * scale) for g in sorted(set(groups)))
    values = ask(["compute", "em", "--cells", cells, "--seen", seen, "--max-iter", "3000"], "", (0, 2))
    if values is None:
        return
    low = max([-constants[j] / slopes[j] for j in range(n) if slopes[j] > 0])
    high = min([-constants[j] / slopes[j] for j in range(n) if slopes[j] < 0])
    places = np.linspace(low, high, 20003)[1:-1]
    best = sum(counts[g] * scale * np.log(np.maximum(1e-300, sum(constants[j] + slopes[j] * places for j in range(n) if groups[j] == g)))
               for g in set(groups) if counts[g])
    if values["converged"] and np.max(best) > values["log_likelihood"] + 1e-4 * abs(np.max(best)) + 1e-12 * scale * counts.sum():
        raise Wrong("log-likelihood %.12g, at another place %.12g" % (values["log_likelihood"], np.max(best)))


def decompose(random):
    x, kind = numbers(random, 20, 6)
    method = str(random.choice(["svd", "nonnegative", "boolean"]))
    x = x if method == "svd" else np.abs(x)
    parts = int(random.integers(1, min(x.shape) + 1))
    values = ask(["compute", "decompose", "-", "--method", method, "--parts", str(parts), *([] if method == "svd" else ["--starts", "3"])],
                 text_of(x))
    if values is not None and method == "svd":
        best = float((np.linalg.svd(x, compute_uv=False)[parts:] ** 2).sum())
        near("error", values["decompose.error"], best, 1e-6, float((x ** 2).sum()) * 1e-9)


def exemplars(random):
    x, kind = numbers(random)
    values = ask(["compute", "exemplars", "-"], text_of(x))
    if values is None:
        return
    distances = cdist(x, x).sum(axis=1)
    total, slack = values["median.total"], 1e-13 * len(x) * np.abs(x).max()
    if total > distances.min() * (1 + 1e-9) + slack:
        raise Wrong("the median has the sum %.17g, a row %.17g" % (total, distances.min()))
    place = np.array([values["median.c%d" % j] for j in range(x.shape[1])])
    for _ in range(50):
        other = place + random.normal(size=place.shape) * (x.std(axis=0) + 1e-300) * 10.0 ** random.uniform(-4, 0)
        if np.linalg.norm(x - other, axis=1).sum() < total * (1 - 1e-9) - slack:
            raise Wrong("the median has the sum %.17g, a place nearby less" % total)


def chain(random):
    n = int(random.integers(1, 7))
    p = random.uniform(size=(n, n)) ** random.choice([1, 8, 30])
    p[random.uniform(size=(n, n)) < random.choice([0, 0.5, 0.8])] = 0
    for i in range(n):
        if p[i].sum() == 0:
            p[i, random.integers(0, n)] = 1
    p /= p.sum(axis=1, keepdims=True)
    rows = ";".join(",".join("%.17g" % v for v in row) for row in p)
    names = "uvwxyz"[:n]
    values = ask(["compute", "chain", "--states", ",".join(names), "--transitions", rows], "", (0, 2))
    if values is None:
        return
    shares = np.array([values["stationary.%s" % s] for s in names])
    if np.abs(shares @ p - shares).max() > 1e-9:
        raise Wrong("a step changes the stationary shares by %g" % np.abs(shares @ p - shares).max())


SOLVERS = {f.__name__: f for f in (kmeans, kmedoids, kernel_kmeans, hierarchy, hdbscan, optics, mixture, gaussian, hmm,
                                   hmm_classifier, em, decompose, exemplars, chain)}


def main():
    wanted = options.only.split(",") if options.only else list(SOLVERS)
    found = 0
    for name in wanted:
        begin, answered, refused, limited, wrong = time.time(), 0, 0, 0, 0
        for i in range(options.problems):
            random = np.random.default_rng([options.seed, list(SOLVERS).index(name), i])
            last.clear()
            try:
                SOLVERS[name](random)
                answered += "refusal" not in last
                refused += "refusal" in last
                limited += last.get("limited", False)
            except (Wrong, subprocess.TimeoutExpired) as what:
                wrong += 1
                print("%s %d: %s\n    cairn %s" % (name, i, what, " ".join(last.get("words", []))))
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    with open(os.path.join(options.keep, "%s-%d.csv" % (name, i)), "w", encoding="utf-8") as f:
                        f.write(last.get("text", ""))
        found += wrong
        print("%-14s %5d answers proved, %d of them ended by a limit; %d refused; %d wrong; %.0f s"
              % (name, answered, limited, refused, wrong, time.time() - begin), flush=True)
    sys.exit(1 if found else 0)


main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Nearest neighbours against scikit-learn and scipy: class shares and means with equal weights and
weights 1/d, neighbours and distances, for many distances, every search and several k, to 1e-9; local
lines against weighted least squares of numpy; edit distances against a plain recursion.
Usage: bench/agree/knn.py [BUILD]; exit 0 when all agree."""
import atexit
import csv
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel, sigmoid_kernel
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

warnings.simplefilter("ignore")
CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
failures, compared = [], 0


def run(*words):
    done = subprocess.run([CAIRN, *words], capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: cairn %s\n%s" % (" ".join(words), done.stderr))
    return done.stdout


def write(name, head, rows):
    with open(os.path.join(FOLDER, name), "w") as out:
        csv.writer(out).writerows([head] + [[c if isinstance(c, str) else repr(float(c)) for c in row]
                                            for row in rows])


def read(name):
    with open(os.path.join(FOLDER, name)) as file:
        return list(csv.DictReader(file))


def check(what, ours, theirs, tolerance=1e-9):
    global compared
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    size = max(1.0, float(np.max(np.abs(theirs))))
    away = float(np.max(np.abs(ours - theirs))) / size if ours.shape == theirs.shape else np.inf
    compared += theirs.size
    if not away <= tolerance:
        failures.append(what)
        print("%s: off by %g" % (what, away))


def ask(task, k, *options):
    """Fit on train.csv, predict test.csv; the rows of the answer."""
    target = ["--target", "class" if task == "classify" else "y",
              "--ignore", "y" if task == "classify" else "class"]
    run("fit", "knn", "train.csv", *target, "--task", task, "--k", str(k), "--curve", "no",
        "--scale", "none", "--save", "m", *options, "--quiet", "--out", "fit.json")
    run("predict", "m", "test.csv", "--output", "all", "--out", "said.csv", "--quiet")
    return read("said.csv")


def kernel_distance(kernel):
    def distance(a, b):
        own = [np.array([kernel(r[None], r[None])[0, 0] for r in m]) for m in (a, b)]
        return np.sqrt(np.maximum(own[0][:, None] - 2 * kernel(a, b) + own[1][None], 0))
    return distance


def gower(train):
    spread = train.max(0) - train.min(0)
    return lambda a, b: np.mean(np.abs(a[:, None] - b[None]) / spread, axis=2)


def distances(train):
    inverse = np.linalg.inv(np.cov(train.T))
    plain = lambda name, **more: lambda a, b: cdist(a, b, name, **more)
    return {
        "euclidean": plain("euclidean"), "squared": plain("sqeuclidean"),
        "manhattan": plain("cityblock"), "chebyshev": plain("chebyshev"),
        "minkowski:p=3": plain("minkowski", p=3), "minkowski:p=1.5": plain("minkowski", p=1.5),
        "minkowski:p=0.5": lambda a, b: (np.abs(a[:, None] - b[None]) ** 0.5).sum(2) ** 2,
        "mahalanobis": plain("mahalanobis", VI=inverse), "cosine": plain("cosine"),
        "canberra": plain("canberra"), "gower": gower(train),
        "kernel:rbf:gamma=0.02": kernel_distance(lambda a, b: rbf_kernel(a, b, gamma=0.02)),
        "kernel:poly:degree=3,offset=1,scale=0.5":
            kernel_distance(lambda a, b: polynomial_kernel(a, b, degree=3, gamma=0.5, coef0=1)),
        "kernel:sigmoid:scale=0.001": kernel_distance(lambda a, b: sigmoid_kernel(a, b, gamma=0.001, coef0=0)),
    }


def compare(name, x, y, classes, queries):
    head = ["x%d" % j for j in range(x.shape[1])]
    write("train.csv", head + ["y", "class"], [[*r, v, c] for r, v, c in zip(x, y, classes)])
    write("test.csv", head, queries)
    for spec, measure in distances(x).items():
        d, own = measure(queries, x), measure(x, x)
        tree = spec.split(":")[0] in ("euclidean", "manhattan", "chebyshev", "minkowski", "mahalanobis") or "rbf" in spec
        searches = ["auto", "brute"] + (["kd"] if tree else [])
        searches += ["ball"] if tree and spec != "minkowski:p=0.5" else []
        for k in (1, 4, 9):
            near = np.argsort(d, axis=1, kind="stable")[:, :k]
            for weights in ("uniform", "distance"):
                ours = "equal" if weights == "uniform" else "inverse"
                classify = KNeighborsClassifier(k, weights=weights, metric="precomputed").fit(own, classes)
                regress = KNeighborsRegressor(k, weights=weights, metric="precomputed").fit(own, y)
                shares, means = classify.predict_proba(d), regress.predict(d)
                for search in searches:
                    what = "%s %s k=%d %s %s" % (name, spec, k, weights, search)
                    options = ["--distance", spec, "--weights", ours, "--method", search]
                    said = ask("classify", k, *options)
                    check(what + " shares", [[r["p(%s)" % c] for c in classify.classes_] for r in said], shares)
                    check(what + " neighbours", [[int(i) - 1 for i in r["neighbours"].split()] for r in said], near)
                    check(what + " nearest", [r["nearest"] for r in said], d.min(1))
                    check(what + " means", [r["y"] for r in ask("regress", k, *options)], means)


def local_lines(x, y, queries):
    """A line through the neighbours, equal and Gaussian weights."""
    for k in (8, 20):
        for ours in ("equal", "kernel"):
            said = ask("regress", k, "--local", "line", "--weights", ours)
            wanted = []
            for q in queries:
                d = np.sqrt(((x - q) ** 2).sum(1))
                near = np.argsort(d, kind="stable")[:k]
                w = np.ones(k) if ours == "equal" else np.exp(-0.5 * (d[near] / d[near[-1]]) ** 2)
                design = np.c_[np.ones(k), x[near]] * np.sqrt(w)[:, None]
                solved = np.linalg.lstsq(design, y[near] * np.sqrt(w), rcond=None)[0]
                wanted.append(solved[0] + solved[1:] @ q)
            check("local line k=%d %s" % (k, ours), [r["y"] for r in said], wanted, 1e-8)


def words():
    @functools.lru_cache(None)
    def edits(a, b):
        if not a or not b:
            return len(a) + len(b)
        return min(edits(a[1:], b) + 1, edits(a, b[1:]) + 1, edits(a[1:], b[1:]) + (a[0] != b[0]))
    random = np.random.default_rng(5)
    make = lambda n: ["".join(random.choice(list("abcä"), random.integers(1, 9))) for _ in range(n)]
    train, test = make(80), make(30)
    write("train.csv", ["word", "y", "class"], [[w, float(i), "ab"[i % 2]] for i, w in enumerate(train)])
    write("test.csv", ["word"], [[w] for w in test])
    said = ask("regress", 5, "--distance", "edit", "--kinds", "word=text")
    d = np.array([[edits(a, b) for b in train] for a in test])
    near = np.argsort(d, axis=1, kind="stable")[:, :5]
    check("edit neighbours", [[int(i) - 1 for i in r["neighbours"].split()] for r in said], near)
    check("edit means", [r["y"] for r in said], near.mean(1))


def bags():
    from sklearn.feature_extraction.text import CountVectorizer
    random = np.random.default_rng(7)
    vocabulary = np.array(["w%d" % i for i in range(60)])
    shares = 1 / np.arange(1, 61)
    make = lambda n: [" ".join(random.choice(vocabulary, random.integers(3, 25), p=shares / shares.sum()))
                      for _ in range(n)]
    train, test, y = make(300), make(50), random.standard_normal(300)
    write("train.csv", ["text", "y", "class"], [[t, v, "ab"[i % 2]] for i, (t, v) in enumerate(zip(train, y))])
    write("test.csv", ["text"], [[t] for t in test])
    counts = CountVectorizer().fit(train)
    a, b = counts.transform(train).toarray().astype(float), counts.transform(test).toarray().astype(float)
    for ours, theirs, x, q in (("cosine", "cosine", a, b), ("euclidean", "euclidean", a, b),
                               ("jaccard", "jaccard", a > 0, b > 0)):
        d = np.sort(cdist(q, x, theirs), axis=1)[:, :4]
        said = ask("regress", 4, "--with", "bag", "--kinds", "text=text", "--distance", ours)
        check("bags %s nearest" % ours, [r["nearest"] for r in said], d[:, 0])
        check("bags %s distances" % ours, [r["distances"].split() for r in said], d, 1e-5)


random = np.random.default_rng(1)
for name, n, d in (("narrow", 450, 3), ("wide", 420, 15)):
    x, queries = random.standard_normal((n, d)) * 2 + 1, random.standard_normal((60, d)) * 2 + 1
    y = x[:, 0] ** 2 + x[:, 1] + 0.3 * random.standard_normal(n)
    classes = np.array(["low", "middle", "high"])[np.digitize(x[:, 0] + random.standard_normal(n), [0, 2])]
    compare(name, x, y, classes, queries)
    if name == "narrow":
        local_lines(x, y, queries)
words()
bags()
print("%d numbers compared, %d disagreements" % (compared, len(failures)))
sys.exit(bool(failures))

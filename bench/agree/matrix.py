#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Principal components, classical scaling, matrix factors and rescaled distances against numpy, scipy and scikit-learn:
eigenvalues, vectors and scores up to sign, coordinates, singular values to 1e-9; the error of
non-negative factors is not worse. Usage: bench/agree/matrix.py [BUILD]; exit 0 when all agree."""
import atexit
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.decomposition import NMF, PCA

warnings.simplefilter("ignore")
CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
failures = []


def run(*words):
    done = subprocess.run([CAIRN, *words], capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: cairn %s\n%s" % (" ".join(words), done.stderr))
    return done.stdout


def values(*words):
    return json.loads(run(*words, "--format", "json"))["values"]


def write(name, matrix, names=None):
    names = names or ["c%d" % j for j in range(matrix.shape[1])]
    with open(os.path.join(FOLDER, name), "w") as out:
        out.write(",".join(names) + "\n")
        for row in matrix:
            out.write(",".join(repr(float(x)) for x in row) + "\n")


def read(name):
    with open(os.path.join(FOLDER, name)) as file:
        rows = list(csv.reader(file))
    return rows[0], np.array([[float(c) for c in row] for row in rows[1:]])


def check(what, ours, theirs, tolerance=1e-9):
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    size = max(1.0, float(np.max(np.abs(theirs))) if theirs.size else 1.0)
    away = float(np.max(np.abs(ours - theirs))) / size if ours.shape == theirs.shape else np.inf
    if not away <= tolerance:
        failures.append(what)
        print("%s: off by %g" % (what, away))


def same_signs(ours, theirs):
    """Columns of `ours` turned to point like those of `theirs`."""
    signs = np.sign(np.sum(ours * theirs, axis=0))
    return ours * np.where(signs == 0, 1, signs)


def principal_components(name, x, count):
    write("x.csv", x)
    for options, transform in [([], lambda m: m), (["--scale"], lambda m: m / m.std(0, ddof=1)),
                               (["--divisor", "n"], lambda m: m)]:
        z = transform(x - x.mean(0))
        below = len(x) if "--divisor" in options else len(x) - 1
        _, s, rows = np.linalg.svd(z, full_matrices=False)
        v = values("compute", "pca", "x.csv", "--components", str(count), *options)
        k = min(count, 8)
        what = "%s %s" % (name, " ".join(options))
        check(what + " eigenvalues", [v["pca.eigenvalue%d" % (i + 1)] for i in range(k)],
              s[:k] ** 2 / below)
        check(what + " explained", v["pca.explained"], np.sum(s[:count] ** 2) / np.sum(s ** 2))
        vectors = np.array([[v["pca.vector%d.c%d" % (i + 1, j)] for i in range(k)]
                            for j in range(min(50, x.shape[1]))])
        # a vector of a small eigenvalue is as exact as its distance from the next one allows
        whole = rows[:k].T
        signs = np.sign(np.sum(vectors * whole[:len(vectors)], axis=0))
        check(what + " vectors", vectors * signs, whole[:len(vectors)], 1e-8)
        run("compute", "pca", "x.csv", "--components", str(count), *options, "--out", "s.csv")
        _, scores = read("s.csv")
        check(what + " scores", same_signs(scores, z @ rows[:count].T), z @ rows[:count].T, 1e-8)
    peer = PCA(n_components=count, svd_solver="full", whiten=True).fit(x)
    run("compute", "pca", "x.csv", "--components", str(count), "--whiten", "--out", "w.csv")
    _, white = read("w.csv")
    check(name + " whitened", same_signs(white, peer.transform(x)), peer.transform(x), 1e-8)
    run("compute", "pca", "x.csv", "--components", str(count), "--back", "--out", "b.csv")
    _, back = read("b.csv")
    plain = PCA(n_components=count, svd_solver="full").fit(x)
    check(name + " back", back, plain.inverse_transform(plain.transform(x)))


def weights(rng):
    x = rng.normal(size=(30, 4)) @ rng.normal(size=(4, 4))
    w = rng.integers(1, 5, 30)
    write("w.csv", np.column_stack([x, w]), ["c0", "c1", "c2", "c3", "w"])
    v = values("compute", "pca", "w.csv", "--weight", "w")
    repeated = np.linalg.eigvalsh(np.cov(np.repeat(x, w, axis=0).T))[::-1]
    check("weights", [v["pca.eigenvalue%d" % (k + 1)] for k in range(4)], repeated)


def maps(rng):
    x = rng.normal(size=(25, 6))
    write("x.csv", x)
    for distance, metric in [("euclidean", "euclidean"), ("manhattan", "cityblock"),
                             ("chebyshev", "chebyshev"), ("cosine", "cosine")]:
        d = squareform(pdist(x, metric))
        n = len(d)
        centre = np.eye(n) - 1 / n
        eigenvalues, vectors = np.linalg.eigh(-0.5 * centre @ d ** 2 @ centre)
        order = np.argsort(-eigenvalues)
        eigenvalues, vectors = eigenvalues[order], vectors[:, order]
        places = vectors[:, :3] * np.sqrt(eigenvalues[:3])
        write("d.csv", d)
        for name, options in [("x.csv", ["--distance", distance]), ("d.csv", ["--as", "distances"])]:
            v = values("compute", "map", name, "--dimensions", "3", *options)
            ours = np.array([[v["map.row%d.x%d" % (i + 1, k + 1)] for k in range(3)]
                             for i in range(n)])
            what = "map %s %s" % (name, distance)
            check(what + " eigenvalues",
                  [v["map.eigenvalue%d" % (k + 1)] for k in range(n)], eigenvalues)
            check(what, same_signs(ours, places), places)
            fitted = squareform(pdist(places))
            check(what + " stress", v["map.stress"],
                  np.sqrt(np.sum((d - fitted) ** 2) / np.sum(d ** 2)))


def factors(rng):
    for n, m, g in [(40, 12, 3), (12, 40, 5), (100, 30, 8)]:
        x = rng.random((n, g)) @ rng.random((g, m)) + 0.1 * rng.random((n, m))
        write("r.csv", x)
        s = np.linalg.svd(x, compute_uv=False)
        v = values("compute", "decompose", "r.csv", "--parts", str(g))
        check("svd weights", [v["decompose.weight%d" % (k + 1)] for k in range(g)], s[:g])
        check("svd error", v["decompose.error"], np.sum(s[g:] ** 2))
        v = values("compute", "decompose", "r.csv", "--parts", str(g), "--method", "nonnegative")
        best = min(NMF(g, init=init, random_state=seed, max_iter=2000).fit(x).reconstruction_err_
                   for init, seed in [("nndsvda", 0), ("random", 0), ("random", 1)]) ** 2
        if not v["decompose.error"] <= best * 1.001 + 1e-12:
            failures.append("nmf")
            print("nmf %d x %d, %d parts: error %g, scikit-learn %g"
                  % (n, m, g, v["decompose.error"], best))


def nearest(matrix, count):
    away = squareform(pdist(matrix))
    np.fill_diagonal(away, np.inf)
    return away.argsort(axis=1, kind="stable")[:, :count]


def rescaling(rng):
    matrix = rng.normal(size=(200, 5)) * [1, 10, 100, 0.1, 3] + rng.normal(size=5)
    write("scales.csv", matrix)
    ours = values("compute", "rescaling", "scales.csv", "--k", "4")
    scaled = (matrix - matrix.mean(axis=0)) / matrix.std(axis=0)
    before, after = nearest(matrix, 4), nearest(scaled, 4)
    shares = matrix.var(axis=0) / matrix.var(axis=0).sum()
    check("rescaling: shares", [ours["before.c%d.share" % j] for j in range(5)], shares)
    check("rescaling: changed", ours["neighbours.changed"], np.mean(before[:, 0] != after[:, 0]))
    check("rescaling: kept", ours["neighbours.kept"],
          np.mean([len(set(a) & set(b)) / 4 for a, b in zip(before, after)]))


def main():
    rng = np.random.default_rng(11)
    mix = rng.normal(size=(8, 8))
    principal_components("tall", rng.normal(size=(200, 8)) @ mix + 5, 3)
    principal_components("wide", rng.normal(size=(30, 120)) * np.arange(1, 121) ** -0.5, 5)
    principal_components("many columns", rng.normal(size=(300, 150)) * np.arange(1, 151) ** -1.0, 6)
    principal_components("bytes", rng.integers(0, 256, (500, 110)) // np.arange(1, 111), 4)
    weights(rng)
    maps(rng)
    factors(rng)
    rescaling(rng)
    print("all agree" if not failures else "%d disagree" % len(failures))
    sys.exit(1 if failures else 0)


main()

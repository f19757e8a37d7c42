#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Curves of one input through random points of nasty kinds: every fit carries its proof or is refused, and none has a
larger sum of squared errors than a peer's.

Points have ties, repeats, x far from 0 or of any scale, hardly different x, outliers, weights over six orders, exact
curves, few rows. Polynomials (degree 0 to 12, also with more coefficients than different x, also with a penalty) are
compared with numpy's least squares of Legendre polynomials, steps with every choice of cuts, power laws by logarithms
and logarithms with a line, direct power laws with scipy from several starts: where their least values differ, both are
minima, and Cairn's is told; it is wrong where scipy, begun at Cairn's answer, still falls.

Usage: bench/agree/curve_random.py [BUILD] [--cases N] [--first SEED]; exit 0 when nothing is wrong."""
import argparse, collections, itertools, json, os, subprocess, sys, tempfile, warnings
import numpy as np
from numpy.polynomial import legendre
from scipy.optimize import least_squares

warnings.filterwarnings("ignore")
UNIT = np.finfo(float).eps / 2


def points(random):
    n = int(random.choice([random.integers(1, 8), random.integers(4, 40)]))
    x = random.normal(size=n)
    kind = random.integers(0, 5)
    if kind == 1:
        x = random.integers(-3, 4, size=n).astype(float)
    if kind == 2:
        x = np.round(x, 1)
    if kind == 3:
        x = np.arange(n, dtype=float)
    positive = random.random() < 0.5
    if positive:
        x = np.abs(x) + random.choice([1e-3, 0.1, 1])
    x *= 10.0 ** random.choice([0, 0, 0, random.integers(-8, 9)])
    if random.random() < 0.25:
        x += 10.0 ** random.integers(-2, 8)
    size = max(np.abs(x).max(), 1e-300)
    u = x / size
    y = [u, u ** 3 - u, np.exp(u), np.abs(u) ** 1.5, np.sign(u - np.median(u))][random.integers(0, 5)]
    y = y * random.choice([0, 1, 1, 1]) + random.choice([0, 0, 1e-9, 1e-3, 0.3, 3]) * random.standard_t(random.choice([1, 3, 30]), size=n)
    if random.random() < 0.2:
        y = np.round(y)
    y = y + random.choice([0, 0, 5, 1e5])
    if positive and random.random() < 0.8:
        y = np.abs(y) + random.choice([1e-6, 0.1])
    y *= 10.0 ** random.choice([-8, 0, 0, 0, 0, 8])
    weights = None
    if random.random() < 0.35:
        weights = random.integers(1, 5, size=n).astype(float) if random.random() < 0.5 else 10.0 ** random.uniform(-3, 3, size=n)
    return x, y, weights


def fit(folder, x, y, w, options):
    with open(os.path.join(folder, "t.csv"), "w") as file:
        file.write("x,y" + (",w" if w is not None else "") + "\n")
        for i in range(len(x)):
            file.write(",".join(repr(float(v)) for v in ([x[i], y[i]] + ([w[i]] if w is not None else []))) + "\n")
    words = [CAIRN, "compute", "curve-fit", "t.csv", "--target", "y", "--format", "json", "--threads", "1"]
    words += options + (["--weight", "w"] if w is not None else [])
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def rounding(residual, size, n, p):
    """Of a sum of squares, by a change of every column by n p units of its length: 2 |e| d + d d."""
    d = n * p * UNIT * size
    return 2 * np.sqrt(residual) * d + d * d


def polynomial(x, y, w, degree):
    """SSE of the peer, and rounding."""
    half = (x.max() - x.min()) / 2 or 1.0
    u = (x - (x.min() + half if x.max() > x.min() else x.min())) / half
    degree = min(degree, len(set(x)) - 1)
    a = legendre.legvander(u, degree) * np.sqrt(w)[:, None]
    c = np.linalg.lstsq(a, y * np.sqrt(w), rcond=1e-15)[0]
    powers = legendre.leg2poly(c)
    size = sum(abs(k) * np.linalg.norm(np.sqrt(w) * u ** j) for j, k in enumerate(powers)) + np.linalg.norm(np.sqrt(w) * y)
    e = ((y * np.sqrt(w) - a @ c) ** 2).sum()
    return e, rounding(e, size, len(x), degree + 2)


def steps(x, y, w, k):
    order = np.unique(x)
    best = np.inf
    for cuts in itertools.combinations(range(1, len(order)), k - 1):
        total = 0
        for a, b in zip((0,) + cuts, cuts + (len(order),)):
            inside = (x >= order[a]) & (x <= order[b - 1])
            mean = (w[inside] @ y[inside]) / w[inside].sum()
            total += w[inside] @ (y[inside] - mean) ** 2
        best = min(best, total)
    size = np.sqrt(w @ y ** 2)
    return best, rounding(best, size, len(x), k)


def line(x, y, w):
    return polynomial(x, y, w, 1)


def judge(kind, size, x, y, w, code, out, err, seen):
    if code in (2, 3, 4):
        reason = "found, but not proved" if "not the one that is sought" in err else "refused"
        return reason, reason != "refused" and err.strip()[-200:] if os.environ.get("TOLD") else None
    if code:
        return "exit %d" % code, err.strip()[-200:]
    v = json.loads(out)["values"]
    if not any(k.startswith("certificate.") for k in v):
        return "no proof", "no proof"
    if "before its end" in err:
        return "limited", None
    wrong = [k for k in v if k.endswith(".sse") and v[k] is None]
    if wrong:
        return "no number", wrong[0]
    weights = np.ones(len(x)) if w is None else w
    if kind == "degree":
        mine = v["degree%d.sse" % size]
        peer, noise = polynomial(x, y, weights, size)
        if size >= len(set(x)):    # told as powers of x, and no better than their digits
            length = sum(abs(v["degree%d.w.%d" % (size, k)]) * np.sqrt(weights @ x ** (2 * k)) for k in range(size + 1))
            noise += rounding(peer, length, len(x), size + 2)
    elif kind == "segments":
        mine = v["steps%d.sse" % size]
        if len(set(x)) > 16:
            return "proved", None
        peer, noise = steps(x, y, weights, size)
    elif kind == "log":
        mine = v["log.sse"]
        peer, noise = line(np.log(x), y, weights)
        length = np.sqrt(weights @ (abs(v["log.a"]) + abs(v["log.b"] * np.log(x))) ** 2)
        noise += rounding(peer, length, len(x), 3)    # told as a and b
    else:
        a, b = v["direct.a"], v["direct.b"]
        if not np.isfinite(a * x ** b * weights).all() or not np.isfinite(x ** -abs(b)).all():
            return "proved", None
        logs = weights @ (np.log(y) - np.log(v["power.a"]) - v["power.b"] * np.log(x)) ** 2
        peer, noise = line(np.log(x), np.log(y), weights)
        noise += rounding(peer, np.sqrt(weights.sum()) * max(1, abs(v["power.b"]) * np.abs(np.log(x)).max()), len(x), 3)
        if logs > peer * (1 + 1e-6) + 4 * noise:
            return "worse", "by logarithms %.9g, %.9g, rounding %.3g" % (logs, peer, noise)
        mine = v["direct.sse"]
        middle = np.exp(np.log(x).mean())
        root, unit = np.sqrt(weights), max(np.abs(y).max(), 1e-300)
        def residuals(t):
            return root * (t[0] * (x / middle) ** t[1] - y / unit)
        begin = np.array([a * middle ** b / unit, b])
        found = least_squares(residuals, begin, xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale="jac")
        size = np.linalg.norm(root * y) + np.linalg.norm(root * a * x ** b * (1 + np.abs(b * np.log(x))))
        peer, noise = (residuals(found.x) ** 2).sum() * unit ** 2, rounding(mine, size, len(x), 3)
    if mine > peer * (1 + 1e-6) + 4 * noise:
        return "worse", "%.9g, peer %.9g, rounding %.3g" % (mine, peer, noise)
    return "proved, as the peer", None


def main():
    global CAIRN
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default="build")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    CAIRN = os.path.abspath(os.path.join(given.build, "cairn"))
    counts, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.first, given.first + given.cases):
            random = np.random.default_rng([seed, 34])
            x, y, w = points(random)
            kind = str(random.choice(["degree", "degree", "degree", "segments", "power", "log"]))
            size = int(random.integers(0, 13)) if kind == "degree" else int(random.integers(1, 5))
            options = ["--" + kind] + ([str(size)] if kind in ("degree", "segments") else [])
            options = ["--degrees"] + options[1:] if kind == "degree" else options + ["--degrees", "1"]
            if kind == "degree" and random.random() < 0.3:
                options += ["--lambda", repr(float(10.0 ** random.uniform(-6, 6)))]
            code, out, err = fit(folder, x, y, w, options)
            what, said = judge(kind, size, x, y, w, code, out, err, counts)
            counts[kind + ", " + what] += 1
            if said:
                wrong += what not in ("found, but not proved",)
                print("%d: %s, %d points: %s: %s" % (seed, " ".join(options), len(x), what, said), flush=True)
    for name in sorted(counts):
        print("%-40s %d" % (name, counts[name]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

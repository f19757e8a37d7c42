#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random hostile problems for linear learners: every answer is proved or refused, and none is worse than a peer's.

Tables have copies of rows, columns that depend on each other, are constant, hardly leave their mean or have scales
from 1e-8 to 1e8, more columns than rows, ties, classes that can be separated and classes that cannot, one class,
exact fits, weights; penalties go from 1e-6 to 1e6. What Cairn finds must carry a proof within its bounds ("certificate"),
or a warning that a limit of iterations ended the work, or be refused with exit code 3 or 4 (of the hardest kinds some
are: the counts tell). A column whose numbers differ by no more than rounding is constant for Cairn, and so for the
peer; what only rounding of the peer's own terms gains counts for nothing. Cairn's objective, worked out
here from the printed coefficients in numpy, is compared with that of a peer: least squares by numpy's singular
values, linear programs by scipy's HiGHS, other losses by scipy's minimisers started from Cairn's answer.

Usage: bench/agree/linear_random.py [BUILD] [--cases N] [--first SEED] [--only NAME,...]; exit 0 when nothing is wrong."""
import argparse, collections, json, os, subprocess, sys, tempfile, warnings
import numpy as np
from scipy.optimize import linprog, minimize
from scipy.special import ndtr, xlogy

warnings.filterwarnings("ignore")

# -- problems --

def features(random):
    n, p = int(random.integers(2, 40)), int(random.integers(1, 9))
    if random.random() < 0.2:
        n, p = int(random.integers(2, 8)), int(random.integers(4, 14))
    x = random.normal(size=(n, p))
    kind = random.integers(0, 5)
    if kind == 1:
        x = random.integers(-2, 3, size=(n, p)).astype(float)
    if kind == 2:
        x = np.round(x, 1)
    if p > 1 and random.random() < 0.35:
        a, b = random.choice(p, 2, replace=False)
        x[:, a] = random.choice([1, -2, 0.5]) * x[:, b] + random.choice([0, 3])
        if random.random() < 0.4:
            x[:, a] += random.choice([1e-4, 1e-7, 1e-10, 1e-13]) * random.normal(size=n)
    if random.random() < 0.2:
        x[:, random.integers(p)] = random.choice([0, 1, 1e6])
    if random.random() < 0.35:
        x *= 10.0 ** random.integers(-8, 9, size=p)
    if random.random() < 0.25:
        x += 10.0 ** random.integers(-2, 8, size=p)
    if random.random() < 0.3:
        x[random.integers(n, size=n // 2)] = x[random.integers(n)]
    return x

def numbers(random, x):
    n, p = x.shape
    size = np.maximum(np.abs(x).max(axis=0), 1e-300)
    y = (x / size) @ random.normal(size=p) * random.choice([0, 1, 1, 1])
    y += random.choice([0, 1e-9, 1e-3, 0.3, 3]) * random.standard_t(random.choice([1, 3, 30]), size=n)
    if random.random() < 0.2:
        y = np.round(y)
    return (y + random.choice([0, 0, 5, 1e5])) * 10.0 ** random.choice([-8, 0, 0, 0, 0, 8])

def classes(random, x, k):
    n, p = x.shape
    z = (x - x.mean(axis=0)) / np.maximum(x.std(axis=0), 1e-300)
    score = z @ random.normal(size=(p, k)) + random.choice([0, 0, 0.5, 2, 10]) * random.normal(size=(n, k))
    y = score.argmax(axis=1)
    if len(set(y)) < 2:
        y[0] = (y[0] + 1) % k
    return y

def weights_of(random, n):
    kind = random.integers(0, 5)
    if kind < 3:
        return None
    return random.integers(1, 5, size=n).astype(float) if kind == 3 else 10.0 ** random.uniform(-3, 3, size=n)

# -- running --

def fit(folder, learner, x, y, w, options):
    p = x.shape[1]
    names = ["x%d" % j for j in range(p)] + ["y"] + (["w"] if w is not None else [])
    with open(os.path.join(folder, "t.csv"), "w") as file:
        file.write(",".join(names) + "\n")
        for i in range(len(y)):
            cells = [repr(float(v)) for v in x[i]] + [y[i] if isinstance(y[i], str) else repr(float(y[i]))]
            file.write(",".join(cells + ([repr(float(w[i]))] if w is not None else [])) + "\n")
    words = [CAIRN, "fit", learner, "t.csv", "--target", "y", "--format", "json", "--threads", "1", *options]
    if w is not None:
        words += ["--weight", "w"]
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr

def coefficients(values, p, key="coefficient."):
    get = lambda name: float(values.get(key + name) or 0)
    return np.array([get("x%d" % j) for j in range(p)]), get("intercept")

def scale_of(x, y, c, b):
    """Size of the terms of a residual, whose rounding no one can avoid."""
    return np.abs(y) + abs(b) + np.abs(x) @ np.abs(c)

# -- least squares and its like: objective(c, b), and what a peer finds --

def squares(x, y, w, c, b):
    return float((w * (y - b - x @ c) ** 2).sum() / 2)

def rounding(x, y, w, *answers):
    """What rounding may make of half a sum of squares: |e| d + d d / 2, where d is the change of the residuals by a
    change of every column by `rows times columns` units of rounding of its length, for so much is the bound of a
    triangle by reflections (Higham, Accuracy and Stability of Numerical Algorithms, theorem 20.3). Normal equations,
    which Cairn solves where the condition of centred unit columns is below 316, have the condition times as much, and
    taking the means out of sums of products loses the digits of a mean that is far from 0 in lengths of its column."""
    mean = (w @ x) / w.sum()
    a = (x - mean) * np.sqrt(w)[:, None]
    length = np.sqrt((a ** 2).sum(axis=0))
    values = np.linalg.svd(a[:, length > 0] / length[length > 0], compute_uv=False)
    normal = len(values) and values[0] < 316 * values[-1]
    total, unit = 0.0, x.shape[0] * (x.shape[1] + 1) * np.finfo(float).eps / 2
    if normal:
        unit *= values[0] / values[-1] * (1 + (np.abs(mean) * np.sqrt(w.sum()))[length > 0] / length[length > 0]).max()
    for c, b in answers:
        d = unit * (np.sqrt(w @ x ** 2) @ np.abs(c) + np.sqrt(w.sum()) * abs(b) + np.sqrt(w @ y ** 2))
        total += np.sqrt((w * (y - b - x @ c) ** 2).sum()) * d + d * d / 2
    return float(total)

def least_squares(x, y, w, ridge=0.0, free=True):
    """Weights by the singular values of unit columns about their means."""
    total = w.sum()
    mean, middle = ((w @ x) / total, w @ y / total) if free else (np.zeros(x.shape[1]), 0.0)
    a = (x - mean) * np.sqrt(w)[:, None]
    if free:
        a[:, (a ** 2).sum(axis=0) <= total * (8 * np.finfo(float).eps * mean) ** 2] = 0
    length = np.sqrt((a ** 2).sum(axis=0) + ridge)
    length[length == 0] = 1
    a = a / length
    side = (y - middle) * np.sqrt(w)
    if ridge:
        a = np.vstack([a, np.diag(np.sqrt(ridge) / length)])
        side = np.concatenate([side, np.zeros(x.shape[1])])
    far = float((np.abs(mean) * np.sqrt(total) / length).max())
    c = np.linalg.lstsq(a, side, rcond=max(1e-13, min(1e-6, 2e-15 * far)))[0] / length
    return c, middle - mean @ c

class Case:
    options = ()
    learner = None
    unproved = False    # told, not judged
    def data(self, random):
        x = features(random)
        return x, numbers(random, x), weights_of(random, len(x))
    def setting(self, random, x, y):
        return {}, []
    def compare(self, x, y, w, values, setting):
        """Objective of Cairn, of the peer, and rounding."""
        return None

class Linear(Case):
    learner = "linear"
    def setting(self, random, x, y):
        free = bool(random.random() < 0.8)
        solver = str(random.choice(["auto", "auto", "gram", "qr", "svd"]))
        return {"free": free}, ["--solver", solver] + ([] if free else ["--no-intercept"])
    def compare(self, x, y, w, values, setting):
        c, b = coefficients(values, x.shape[1])
        peer = least_squares(x, y, w, 0, setting["free"])
        return squares(x, y, w, c, b), squares(x, y, w, *peer), rounding(x, y, w, (c, b), peer)

class Classifier(Case):
    learner = "least-squares-classifier"
    options = ("--coding", "1,-1", "--positive", "k1")
    def data(self, random):
        x = features(random)
        return x, np.array(["k%d" % k for k in classes(random, x, 2)]), weights_of(random, len(x))
    def compare(self, x, y, w, values, setting):
        t = np.where(y == "k1", 1.0, -1.0)
        c, b = coefficients(values, x.shape[1])
        peer = least_squares(x, t, w)
        return squares(x, t, w, c, b), squares(x, t, w, *peer), rounding(x, t, w, (c, b), peer)

class Ridge(Case):
    learner = "ridge"
    options = ("--scale", "none")
    def setting(self, random, x, y):
        strength = float(10.0 ** random.uniform(-6, 6))
        return {"ridge": strength}, ["--lambda", repr(strength)]
    def compare(self, x, y, w, values, setting):
        c, b = coefficients(values, x.shape[1])
        r = setting["ridge"]
        peer = least_squares(x, y, w, r)
        value = lambda c, b: squares(x, y, w, c, b) + r * float(c @ c) / 2
        return value(c, b), value(*peer), (w * scale_of(x, y, c, b) ** 2).sum() * 1e-26

class Generalised(Case):
    learner = "gls"
    def setting(self, random, x, y):
        rho = None if random.random() < 0.5 else float(random.uniform(-0.95, 0.95))
        return {"rho": rho}, [] if rho is None else ["--rho", repr(rho)]
    def compare(self, x, y, w, values, setting):
        c, b = coefficients(values, x.shape[1])
        rho, n = float(values["rho"]), len(y)
        turn = np.eye(n) - rho * np.eye(n, k=-1)
        turn[0, 0] = np.sqrt(1 - rho * rho)
        root = np.sqrt(w)
        a = turn @ (np.column_stack([x, np.ones(n)]) * root[:, None])
        side = turn @ (y * root)
        length = np.sqrt((a ** 2).sum(axis=0))
        length[length == 0] = 1
        peer = np.linalg.lstsq(a / length, side, rcond=1e-13)[0] / length
        value = lambda t: float(((side - a @ t) ** 2).sum() / 2)
        return value(np.append(c, b)), value(peer), (w * scale_of(x, y, c, b) ** 2).sum() * 1e-26

class Total(Case):
    learner = "tls"
    def compare(self, x, y, w, values, setting):
        c, b = coefficients(values, x.shape[1])
        total = w.sum()
        a = np.column_stack([x, y])
        a = (a - (w @ a) / total) * np.sqrt(w)[:, None]
        least = np.linalg.svd(a, compute_uv=False)
        least = least[-1] ** 2 if len(least) == a.shape[1] else 0.0
        mine = 2 * squares(x, y, w, c, b) / (1 + c @ c)
        if "certificate.gradient" not in values:    # no function of the features is nearest
            return None
        return mine, least, (a ** 2).sum() * 1e-20 + (w * scale_of(x, y, c, b) ** 2).sum() * 1e-26 / (1 + c @ c)

class Partial(Case):
    learner = "pls"
    options = ("--scale", "none")
    def setting(self, random, x, y):
        return {}, ["--components", str(int(random.integers(1, x.shape[1] + 1)))]

class Mean(Case):
    """The weights go round in a cycle; the batch answer beside them is the peer's."""
    learner = "lms"
    options = ("--scale", "none")
    unproved = True
    def compare(self, x, y, w, values, setting):
        c, b = coefficients(values, x.shape[1], "batch.")
        peer = least_squares(x, y, w)
        mine = max(values["batch.E"], squares(x, y, w, c, b))
        return mine, squares(x, y, w, *peer), rounding(x, y, w, (c, b), peer)

class Lasso(Case):
    learner = "lasso"
    options = ("--scale", "none")
    def setting(self, random, x, y):
        strength, mix = float(10.0 ** random.uniform(-6, 6)), float(random.choice([1, 1, 0.5, 0.01, 0]))
        return {"lambda": strength, "mix": mix}, ["--lambda", repr(strength), "--mix", repr(mix)]
    def compare(self, x, y, w, values, setting):
        c, b = coefficients(values, x.shape[1])
        l, r = setting["lambda"] * setting["mix"], setting["lambda"] * (1 - setting["mix"])
        value = lambda c, b: squares(x, y, w, c, b) + l * np.abs(c).sum() + r * float(c @ c) / 2
        best = value(c, b)
        for start in (c, np.zeros_like(c)):    # coordinate descent
            a = start.copy()
            for _ in range(200):
                m = w @ (y - x @ a) / w.sum()
                for j in range(len(a)):
                    xj = x[:, j] - w @ x[:, j] / w.sum()
                    curve = float(w @ (xj * xj)) + r
                    slope = float((w * xj) @ (y - m - x @ a)) + float(w @ (xj * xj)) * a[j]
                    a[j] = np.sign(slope) * max(abs(slope) - l, 0) / curve if curve > 0 else 0
                    m = w @ (y - x @ a) / w.sum()
            best = min(best, value(a, m))
        return value(c, b), best, (w * scale_of(x, y, c, b) ** 2).sum() * 1e-26

class Path(Case):
    """The strength is chosen, so that every one of the path is proved."""
    learner = "lasso"
    def setting(self, random, x, y):
        return {}, ["--mix", str(random.choice(["1", "0.7"])), "--inner", "gcv", "--path", "20"]

class Powers(Case):
    learner = "lasso"
    options = ("--scale", "none")
    def setting(self, random, x, y):
        return {}, ["--q", str(random.choice(["0.5", "0.8", "1.3", "2", "4"])), "--lambda",
                    repr(float(10.0 ** random.uniform(-4, 3)))]

class Quantile(Case):
    learner = "quantile-regression"
    def setting(self, random, x, y):
        tau = float(random.choice([0.5, 0.5, 0.1, 0.9, 0.25]))
        return {"tau": tau}, ["--tau", repr(tau)]
    def compare(self, x, y, w, values, setting):
        c, b = coefficients(values, x.shape[1])
        tau, n, p = setting["tau"], len(y), x.shape[1]
        loss = lambda c, b: float((w * np.where(y - b - x @ c < 0, tau - 1, tau) * (y - b - x @ c)).sum())
        size = np.maximum(np.abs(x).max(axis=0), 1e-300)
        unit = max(np.abs(y).max(), 1e-300)
        a = np.column_stack([x / size, np.ones(n), np.eye(n), -np.eye(n)])
        cost = np.concatenate([np.zeros(p + 1), tau * w, (1 - tau) * w])
        bounds = [(None, None)] * (p + 1) + [(0, None)] * (2 * n)
        peer = linprog(cost / cost.max(), A_eq=a, b_eq=y / unit, bounds=bounds, method="highs")
        if not peer.success:
            return None
        theirs = peer.x[:p + 1] * unit
        return loss(c, b), loss(theirs[:p] / size, theirs[p]), (w * scale_of(x, y, c, b)).sum() * 1e-13

class Huber(Case):
    learner = "huber"
    def setting(self, random, x, y):
        given = float(np.abs(y).max() * random.choice([0.01, 0.1, 1])) or 1.0
        return {"given": given}, [] if random.random() < 0.5 else ["--deviation", repr(given)]

class Logistic(Case):
    learner = "logistic"
    options = ("--scale", "none", "--positive", "k1")
    def data(self, random):
        x = features(random)
        return x, np.array(["k%d" % k for k in classes(random, x, 2)]), weights_of(random, len(x))
    def setting(self, random, x, y):
        kind, strength = random.integers(0, 4), float(10.0 ** random.uniform(-6, 6))
        words = [[], ["--lambda", repr(strength)], ["--lambda", repr(strength), "--penalty", "l1"],
                 ["--lambda", repr(strength), "--solver", "cg"]][kind]
        return {"ridge": strength if kind in (1, 3) else 0.0 if kind == 0 else None}, words
    def compare(self, x, y, w, values, setting):
        r = setting["ridge"]
        if r is None or not values.get("coefficient.intercept") and "coefficient.x0" not in values:
            return None
        c, b = coefficients(values, x.shape[1])
        sign = np.where(y == "k1", 1.0, -1.0)
        def value(t):
            return float((w * np.logaddexp(0, -sign * (x @ t[:-1] + t[-1]))).sum() + r * (t[:-1] @ t[:-1]) / 2)
        start = np.append(c, b)
        if r == 0:
            return None
        size = np.append(1 / np.maximum(np.abs(x).max(axis=0), 1e-8), 1)
        peer = minimize(lambda u: value(u * size), start / size, method="L-BFGS-B")
        return value(start), min(value(start), peer.fun), 1e-9 * w.sum() * 1e-3

class Softmax(Logistic):
    options = ("--scale", "none")
    def data(self, random):
        x = features(random)
        return x, np.array(["k%d" % k for k in classes(random, x, 3)]), weights_of(random, len(x))
    def compare(self, x, y, w, values, setting):
        return None

class Discriminant(Softmax):
    learner = "discriminant"
    options = ()
    def setting(self, random, x, y):
        return {}, [[], ["--probabilities"], ["--shrinkage", "0.1"]][random.integers(0, 3)]

class Basic(Softmax):
    learner = "basic-linear"
    options = ()
    def setting(self, random, x, y):
        return {}, ["--matrix", str(random.choice(["pooled", "covariance", "gram", "diagonal"]))]

class Family(Case):
    learner = "glm"
    def data(self, random):
        x = features(random)
        self.family = str(random.choice(["poisson", "binomial", "gamma", "gaussian"]))
        z = (x - x.mean(axis=0)) / np.maximum(x.std(axis=0), 1e-300)
        score = np.clip(z @ random.normal(size=x.shape[1]) * 0.5, -5, 5)
        y = {"poisson": lambda: random.poisson(np.exp(score)), "gaussian": lambda: numbers(random, x),
             "gamma": lambda: random.gamma(2, np.exp(score)) + 1e-3,
             "binomial": lambda: (random.random(len(x)) < 1 / (1 + np.exp(-score)))}[self.family]()
        return x, np.asarray(y, dtype=float), weights_of(random, len(x))
    def setting(self, random, x, y):
        links = {"poisson": ["log", "sqrt"], "binomial": ["logit", "probit", "cloglog"], "gamma": ["log", "inverse"],
                 "gaussian": ["identity"]}
        self.link = str(random.choice(links[self.family]))
        return {}, ["--family", self.family, "--link", self.link, "--task", "regress"]
    def compare(self, x, y, w, values, setting):
        c, b = coefficients(values, x.shape[1])
        mean = {"identity": lambda h: h, "log": np.exp, "sqrt": lambda h: h * h, "inverse": lambda h: 1 / h,
                "logit": lambda h: 1 / (1 + np.exp(-h)), "probit": ndtr, "cloglog": lambda h: -np.expm1(-np.exp(h))}
        loss = {"poisson": lambda m: m - y * np.log(m), "gamma": lambda m: y / m + np.log(m),
                "gaussian": lambda m: (y - m) ** 2 / 2,
                "binomial": lambda m: -xlogy(y, m) - xlogy(1 - y, 1 - m)}[self.family]
        middle, size = x.mean(axis=0), np.maximum(x.std(axis=0), 1e-300)
        if (np.abs(middle) > 1e7 * size)[x.std(axis=0) > 0].any():
            return None    # the peer would fit the rounding of such a column
        z = (x - middle) / size
        def value(u):
            m = mean[self.link](z @ u[:-1] + u[-1])
            if self.family in ("poisson", "gamma") and not (m > 0).all():
                return np.inf
            total = float((w * loss(m)).sum())
            return total if np.isfinite(total) else 1e300
        start = np.append(c * size, b + c @ middle)
        mine = value(start)
        peer = minimize(value, start, method="L-BFGS-B")
        return mine, min(mine, peer.fun), 1e-8 * w.sum() * max(1.0, np.abs(y).max())

class KernelRidge(Case):
    learner = "kernel-ridge"
    def setting(self, random, x, y):
        return {}, ["--lambda", repr(float(10.0 ** random.uniform(-6, 6))), "--kernel",
                    str(random.choice(["rbf", "poly", "linear", "laplace"]))]

class Network(Case):
    learner = "network"
    def setting(self, random, x, y):
        return {}, ["--solver", "lbfgs", "--hidden", "3", "--decay", "0.01"]

class NetworkClasses(Softmax):
    learner = "network"
    options = ()
    def setting(self, random, x, y):
        return {}, ["--solver", "lbfgs", "--hidden", str(random.choice(["0", "3"])), "--decay", "0.01"]

CASES = {"linear": Linear, "codes": Classifier, "ridge": Ridge, "gls": Generalised, "tls": Total, "pls": Partial,
         "lms": Mean, "lasso": Lasso, "path": Path, "powers": Powers, "quantile": Quantile, "huber": Huber,
         "logistic": Logistic, "softmax": Softmax, "glm": Family, "kernel-ridge": KernelRidge, "discriminant": Discriminant, "basic": Basic,
         "network": Network, "network-classes": NetworkClasses}

def judge(case, code, out, err, x, y, w, setting):
    """What came of a problem, and whether that is wrong."""
    if code in (2, 3, 4):
        return ("found, but not proved" if "not the one that is sought" in err else "refused"), False
    if code:
        return "exit %d" % code, True
    values = json.loads(out)["values"]
    proofs = {k: v for k, v in values.items() if k.startswith("certificate.")}
    limited = "before its end" in err
    bad = [k for k, v in values.items() if k.startswith("coefficient.") and v is None and case.learner != "glm"]
    if bad:
        return "no number: " + bad[0], True
    if not proofs and case.learner not in ("pls", "tls"):
        return "no proof", True
    weights = np.ones(len(y)) if w is None else w
    found = case.compare(x, y, weights, values, setting)
    if limited:
        return "limited", False
    if found is None:
        return "proved", False
    mine, peer, noise = found
    worse = mine - peer > 1e-6 * abs(peer) + noise
    return ("worse than the peer: %.9g, %.9g, rounding %.3g" % (mine, peer, noise) if worse else "proved, as the peer",
            worse)

def main():
    global CAIRN
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default="build")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only")
    parser.add_argument("--keep", help="folder for the tables of what is wrong")
    options = parser.parse_args()
    CAIRN = os.path.abspath(os.path.join(options.build, "cairn"))
    wrong = 0
    for name in options.only.split(",") if options.only else CASES:
        counts, told = collections.Counter(), 0
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(options.first, options.first + options.cases):
                random = np.random.default_rng([seed, sum(map(ord, name))])
                case = CASES[name]()
                x, y, w = case.data(random)
                setting, words = case.setting(random, x, y)
                try:
                    code, out, err = fit(folder, case.learner, x, y, w, [*case.options, *words])
                    what, bad = judge(case, code, out, err, x, y, w, setting)
                except subprocess.TimeoutExpired:
                    what, bad, err = "no end within a minute", True, ""
                counts[what.split(":")[0]] += 1
                wrong += bad
                if bad and told < 8:
                    told += 1
                    print("  %s %d (%d x %d): %s %s\n    %s" % (name, seed, *x.shape, " ".join(words), what, err.strip()[:300]))
                    if options.keep:
                        os.replace(os.path.join(folder, "t.csv"), os.path.join(options.keep, "%s-%d.csv" % (name, seed)))
        print("%-13s %s" % (name, ", ".join("%s %d" % item for item in counts.most_common())), flush=True)
    return 1 if wrong else 0

if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Support vector machines of random problems: every answer must carry its proof (certificate.gap and
certificate.conditions), the proof is worked out again here from the printed multipliers, and the objective may not be
above LIBSVM's (through scikit-learn). Hard margins of noisy rows are refused exactly where `compute separability` finds
no plane.
Usage: bench/agree/svm_random.py [BUILD] [--problems 10000] [--hard 5000] [--seed 1] [--first 0] [--peer-share 0.3]; exit 0 when all
hold. Problems differ in type, kernel, solver, cost (1e-4 to 1e6), scale (1e-8 to 1e8), ties, repeated rows, dependent
and constant columns, weights, and more columns than rows."""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
import numpy as np
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

warnings.simplefilter("ignore")
LIMIT = 1e-6
FOLDER = tempfile.mkdtemp()


def columns(r):
    """Rows of every sort, and how they were made."""
    n = int(r.integers(2, 12) if r.random() < 0.2 else r.integers(8, 60) if r.random() < 0.8 else r.integers(60, 240))
    p = int(r.integers(1, 7)) if r.random() < 0.85 else int(r.integers(7, 40))
    x = r.normal(size=(n, p)) if r.random() < 0.6 else r.integers(-3, 4, (n, p)).astype(float)
    made = []
    if r.random() < 0.15 and p > 1:
        x[:, -1] = x[:, 0] * r.choice([1, -2, 0.3])
        made.append("collinear")
    if r.random() < 0.1:
        x[:, r.integers(p)] = r.choice([0, 1, 7.25])
        made.append("constant")
    if r.random() < 0.2:
        x[r.integers(n, size=n // 3)] = x[r.integers(n, size=n // 3)]
        made.append("repeated")
    if r.random() < 0.1:
        x += r.normal(size=p) * 100
        made.append("far")
    if r.random() < 0.25:
        x *= 10 ** r.uniform(-8, 8)
        made.append("scaled")
    elif r.random() < 0.1:
        x *= 10 ** r.uniform(-4, 4, p)
        made.append("scales")
    return x, made


def classes(r, x, noise):
    z = x - x.mean(0)
    size = z.std(0)
    score = (z / np.where(size > 0, size, 1)) @ r.normal(size=x.shape[1])
    score = score + noise * r.normal(size=len(x)) * (np.std(score) or 1) + r.normal() * 0.3 * np.std(score)
    y = np.where(score > np.quantile(score, r.uniform(0.2, 0.8)), 1, -1)
    if len(set(y)) < 2:
        y[0] = -y[0]
    return y


def write(x, y, w, words):
    path = os.path.join(FOLDER, "rows.csv")
    with open(path, "w") as out:
        out.write(",".join(["x%d" % (j + 1) for j in range(x.shape[1])] + ["y", "w"]) + "\n")
        for row, t, v in zip(x, y, w):
            out.write(",".join(["%.17g" % u for u in row] + [("b" if t > 0 else "a") if words else "%.17g" % t, "%.17g" % v]) + "\n")
    return path


def cairn(*words):
    done = subprocess.run([os.path.join(BUILD, "cairn"), *words], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


def kernel_of(r, x):
    """Name, options, settings of the peer, values."""
    scale = max(float(np.mean((x - x.mean(0)) ** 2)) * x.shape[1], 1e-300)
    name = r.choice(["linear", "linear", "linear", "rbf", "poly", "sigmoid"], p=[0.2, 0.2, 0.2, 0.2, 0.15, 0.05])
    if name == "linear":
        return name, ["--kernel", "linear"], dict(kernel="linear"), lambda a, b: a @ b.T
    gamma = float(r.choice([0.1, 0.5, 2])) / scale
    if name == "rbf":
        def values(a, b):
            return np.exp(-gamma * ((a[:, None, :] - b[None, :, :]) ** 2).sum(2))
        return name, ["--kernel", "rbf", "--gamma", repr(gamma)], dict(kernel="rbf", gamma=gamma), values
    if name == "poly":
        d = int(r.integers(2, 4))
        return (name, ["--kernel", "poly", "--degree", str(d), "--factor", repr(gamma), "--offset", "1"],
                dict(kernel="poly", degree=d, gamma=gamma, coef0=1), lambda a, b: (gamma * (a @ b.T) + 1) ** d)
    return (name, ["--kernel", "sigmoid", "--factor", repr(gamma), "--offset", "-0.5"],
            dict(kernel="sigmoid", gamma=gamma, coef0=-0.5), lambda a, b: np.tanh(gamma * (a @ b.T) - 0.5))


def objective(kind, t, c, beta, scores, constant, width, nu, power, cost):
    """What the primal and the dual problem come to, and the size that the gap is a part of."""
    f = scores + constant
    half = beta @ scores / 2
    if kind == "c":
        slack = np.maximum(0, 1 - t * f)
        loss = c @ slack
        if power > 1:
            share = c / cost
            loss = cost * (share @ slack) ** power
            bound = np.max(np.abs(beta) / share)
            less = (power - 1) * cost * (bound / (cost * power)) ** (power / (power - 1))
            return half + loss, beta @ t - half - less, half + loss
        return half + loss, beta @ t - half, half + loss
    if kind == "eps":
        loss = c @ np.maximum(0, np.abs(t - f) - width)
        return half + loss, beta @ t - width * np.abs(beta).sum() - half, half + loss
    if kind == "nu-eps":
        loss = c @ np.maximum(0, np.abs(t - f) - width) + nu * c.sum() * width
        return half + loss, beta @ t - half, half + loss
    raise ValueError(kind)


def free_margin(squared, reached):
    """The least of squared s s / 2 - s reached over the scale s of the weights, which nu leaves free: `reached` is
    nu n rho less what the rows fall short of the margin rho."""
    return -reached ** 2 / (2 * squared) if reached > 0 else np.longdouble(0)


def peer_objective(model, kernel, x, t, c, kind, nu):
    """The primal problem at what LIBSVM found, at the best width where that is part of it; None = it did not end."""
    if model.fit_status_ or not np.max(model.n_iter_) < PEER_STEPS:
        return None
    n = len(t)
    beta = np.zeros(n, np.longdouble)
    beta[model.support_] = model.dual_coef_[0]
    scores, constant = kernel(x, x) @ beta, np.longdouble(model.intercept_[0])
    if kind == "nu":
        return free_margin(beta @ scores, nu * n - np.maximum(0, 1 - t * (scores + constant)).sum())
    if kind == "one":
        return free_margin(beta @ scores, -nu * n * constant - np.maximum(0, -constant - scores).sum())
    widths = np.abs(t - scores - constant) if kind == "nu-eps" else [model.epsilon if kind == "eps" else 0]
    return min(objective(kind, t, c, beta, scores, constant, w, nu, 1, 1)[0] for w in [*widths][:400])


def peer_of(kind, cost, width, nu, their):
    settings = dict(tol=1e-9, max_iter=PEER_STEPS, cache_size=50, **their)
    if kind == "nu":
        return NuSVC(nu=nu, **settings)
    if kind == "one":
        return OneClassSVM(nu=nu, **settings)
    if kind == "nu-eps":
        return NuSVR(C=cost, nu=nu, **settings)
    return SVR(C=cost, epsilon=width, **settings) if kind == "eps" else SVC(C=cost, **settings)


def beside(kind, mine, noise, x, t, w, cost, width, nu, kernel, their, seen):
    """A sentence where the objective is above LIBSVM's by more than `noise` and 1e-6 of it."""
    model = peer_of(kind, cost, width, nu, their)
    try:
        model.fit(x.astype(float), t.astype(float), sample_weight=w.astype(float))
    except ValueError:
        return None
    x, t = x.astype(np.longdouble), t.astype(np.longdouble)
    theirs = peer_objective(model, kernel, x, t, np.longdouble(cost) * w, kind, nu)
    if theirs is None:
        seen["peer did not end"] += 1
        return None
    seen["peer"] += 1
    seen["peer of " + kind] += 1
    over = float((mine - theirs) / max(abs(theirs), 1e-12 * cost * float(w @ np.abs(t)), np.longdouble(1e-300)))
    seen["peer better by at most"] = max(seen["peer better by at most"], over)
    seen["peer worse by 1e-6"] += over < -LIMIT
    return None if over <= max(LIMIT, noise) else "objective %g above LIBSVM's" % over


def dual_of(kind, beta, gram, t, w, width, nu):
    """What LIBSVM makes least, with nu for multipliers that add up to what nu asks for."""
    if kind == "nu":
        beta = beta * (nu * w.sum() / np.abs(beta).sum())
        return beta @ gram @ beta / 2
    return beta @ gram @ beta / 2 - beta @ t + (width * np.abs(beta).sum() if kind == "eps" else 0)


def sigmoid(r, kind, v, x, t, w, cost, width, nu, kernel, their, power, weighted, seen):
    """The kernel may have negative eigenvalues, and then no gap proves a solution: all conditions must hold, and what is
    made least may not be above what LIBSVM finds."""
    seen["sigmoid"] += 1
    seen["sigmoid, with a gap"] += "certificate.gap" in v
    worst = max(v["certificate.conditions"], v.get("certificate.gap", 0))
    if worst > LIMIT:
        return "conditions left %g" % worst
    if kind == "one" or power > 1 or weighted and kind == "nu" or len(t) > 200:
        return None
    model = peer_of(kind, cost, width, nu, their)
    try:
        model.fit(x.astype(float), t.astype(float), sample_weight=w.astype(float))
    except ValueError:
        return None
    if model.fit_status_ or not np.max(model.n_iter_) < PEER_STEPS:
        return None
    gram = kernel(x.astype(np.longdouble), x.astype(np.longdouble))
    t = t.astype(np.longdouble)
    theirs = np.zeros(len(t), np.longdouble)
    theirs[model.support_] = model.dual_coef_[0]
    signs = 1 if kind in ("eps", "nu-eps") else -t if v["plus"] == "a" else t
    name = "beta" if kind in ("eps", "nu-eps") else "alpha"
    ours = signs * np.array([v["%s.%d" % (name, i + 1)] for i in range(len(t))], np.longdouble)
    one, two = (dual_of(kind, b, gram, -t if kind != "eps" and kind != "nu-eps" and v["plus"] == "a" else t, w, width, nu)
                for b in (ours, theirs if kind in ("eps", "nu-eps") or v["plus"] == "b" else -theirs))
    seen["sigmoid, peer"] += 1
    over = float((one - two) / max(abs(two), np.longdouble(1e-300)))
    seen["sigmoid, lower than the peer by 1e-6"] += over < -LIMIT
    if over > LIMIT:
        return "objective %g above LIBSVM's" % over
    return None


def printed_objective(kind, v, t, nu, kernel, x):
    """The objective where the report has no multipliers, or has them for a margin of 1; None = it does not say."""
    if kind == "nu":
        if "intercept" not in v:
            return None
        t = -t if v["plus"] == "a" else t
        beta = np.array([t[i] * v["alpha.%d" % (i + 1)] for i in range(len(t))], np.longdouble)
        scores = kernel(x, x) @ beta
        short = np.maximum(0, 1 - t * (scores - v["intercept"])).sum()
        return free_margin(beta @ scores, nu * len(t) - short)
    return v["dual"] + v["certificate.gap"] * abs(v["dual"]) if "dual" in v else None


PEER_STEPS = 300000
# of C k(x, x): digits leave eps C k(x, x) of the objective
PRECISE = LIMIT / np.finfo(float).eps


def may_lack_digits(kind, name, kappa):
    """Scores of a kernel are sums over multipliers in double precision, and tubes that nu finds, or that are asked for
    without a width, may hold the rows on one curve: no such numbers have the digits where C k(x, x) is large. Linear machines
    with a margin have them, up to what multipliers of 113 bits can hold."""
    return kappa > PRECISE and (name != "linear" or kind in ("eps", "nu-eps")) or kappa > 1e18 or kind == "nu-eps" and kappa > 1e6


def problem(r, k, seen):
    """One problem; a sentence where something is wrong."""
    x, made = columns(r)
    n = len(x)
    kind = r.choice(["c", "c", "c", "nu", "eps", "eps", "nu-eps", "one"])
    name, options, their, kernel = kernel_of(r, x)
    cost = float(10 ** r.uniform(-4, 6))
    weighted = r.random() < 0.2
    w = r.choice([0.25, 1, 2, 3.5], n) if weighted else np.ones(n)
    numbers = kind in ("eps", "nu-eps")
    width, nu, power = 0.0, float(r.uniform(0.05, 0.9)), 1
    if numbers:
        t = (x - x.mean(0)) @ r.normal(size=x.shape[1])
        t = t / (np.std(t) or 1) + r.normal(size=n) * r.choice([0.01, 0.3, 1])
        if r.random() < 0.3:
            t = np.round(t)
        t *= 10 ** r.uniform(-2, 2)
        width = float(r.choice([0, 0.1, 0.5])) * float(np.std(t))
    else:
        t = classes(r, x, r.choice([0, 0.1, 0.5, 1, 3]))
        if kind == "one":
            t = np.ones(n)
    words = ["fit", "svm", write(x, t, w, not numbers), "--target", "y", "--scale", "none", "--format", "json"]
    words += ["--weight", "w"] if weighted else ["--ignore", "w"]
    words += options
    if numbers:
        words += ["--task", "regress"]
    if kind in ("c", "eps", "nu-eps"):
        words += ["--c", repr(cost)]
    if kind == "eps":
        words += ["--epsilon", repr(width)]
    if kind in ("nu", "nu-eps"):
        words += ["--type", "nu", "--nu", repr(nu)]
    if kind == "one":
        words += ["--type", "one-class", "--nu", repr(nu)]
    if kind in ("c", "nu") and r.random() < 0.1:
        words += ["--class-weight", "1,3"]
        w = w * np.where(t == t[0], 1, 3)  # in the order in which the classes come
        weighted = True
    solver = r.choice(["auto", "exact", "pairs"], p=[0.6, 0.2, 0.2])
    squared = False
    if kind == "c" and name == "linear" and r.random() < 0.25:
        solver, squared = r.choice(["rows", "primal"]), r.random() < 0.5
    if kind == "c" and solver in ("auto", "exact") and r.random() < 0.08:
        power = int(r.integers(2, 4))
        words += ["--slack-power", str(power)]
    words += ["--solver", solver] + (["--loss", "squared"] if squared else [])
    code, out, err = cairn(*words)
    if given.only is not None:
        print(" ".join(words), "\n", err)
    label = "%s %s %s%s" % (kind, name, solver, " power" if power > 1 else " squared" if squared else "")
    seen["problems"] += 1
    moved = x - x.mean(0) if name == "linear" and kind != "one" and solver != "pairs" else x
    kappa = (cost if kind not in ("nu", "one") else 1) * w.max() * float(np.max(np.diag(kernel(moved, moved))))
    kappa /= max(float(np.std(t)), width) if numbers else 1
    if code:
        seen["refused: " + re.sub("[0-9.]+(e-?[0-9]+)?", "#", err.strip().splitlines()[-1])[:70]] += 1
        expected = "too large for these classes" in err or "margin is 0" in err or "too large to work with" in err
        expected = expected or "the kernel poly overflows" in err or ("not positive semidefinite" in err and name == "sigmoid")
        if "not the one that is sought" in err and may_lack_digits(kind, name, kappa):
            seen["refused by the proof: C k(x, x) beyond the digits of the numbers"] += 1
            return None
        return None if expected else "%s: exit code %d: %s | %s, n %d, kappa %.1g" % (label, code, err.strip()[-300:], " ".join(made), n, kappa)
    v = json.loads(out)["values"]
    if "certificate.gap" not in v and name != "sigmoid":
        return label + ": no certificate"
    if "ended by a limit" in err:
        return "%s: ended by a limit, n %d, kappa %.1g" % (label, n, kappa)
    if name == "sigmoid":
        return label + ": " + said if (said := sigmoid(r, kind, v, x, t, w, cost, width, nu, kernel, their, power, weighted, seen)) else None
    worst = max(v["certificate.gap"], v["certificate.conditions"])
    seen["worst"] = max(seen["worst"], worst)
    if may_lack_digits(kind, name, kappa) and LIMIT < worst <= 1e-4:
        seen["proved to what the digits of the weights leave, up to 1e-4"] += 1
        return None
    if not worst <= LIMIT:
        return "%s: gap %g, conditions %g, n %d, kappa %.1g" % (label, v["certificate.gap"], v["certificate.conditions"], n, kappa)
    if v.get("kkt", "fulfilled") != "fulfilled":
        return label + ": conditions " + v["kkt"]
    with_peer = r.random() <= PEER_SHARE and power == 1 and not squared
    if kind in ("nu", "one") or squared or solver in ("rows", "primal") or n > 200:
        own = printed_objective(kind, v, t, nu, kernel, x.astype(np.longdouble))
        # `rows` counts the constant as a weight, which LIBSVM does not; weights of rows mean something else to its nu
        if own is None or not with_peer or solver == "rows" or weighted and kind in ("nu", "one"):
            return None
        # what is left of the objective by the proof, and the digits that the printed multipliers leave
        noise = 4 * np.finfo(float).eps * kappa * n if kind == "nu" else 0
        said = beside(kind, own, noise, x, t, w, cost if kind in ("c", "eps", "nu-eps") else 1, width, nu, kernel, their, seen)
        return label + ": " + said if said else None
    t, x = t.astype(np.longdouble), x.astype(np.longdouble)
    if not numbers and v["plus"] == "a":
        t = -t
    c = np.longdouble(cost) * w
    beta = np.array([v["beta.%d" % (i + 1)] if numbers else t[i] * v["alpha.%d" % (i + 1)] for i in range(n)], np.longdouble)
    constant = v["intercept"] if numbers else -v["intercept"]
    width = v.get("epsilon", width) if kind == "nu-eps" else width
    weights = np.array([v["w.x%d" % (j + 1)] for j in range(x.shape[1])], np.longdouble) if name == "linear" else None
    scores = kernel(x, x) @ beta if weights is None else x @ weights
    primal, dual, size = objective(kind, t, c, beta, scores, np.longdouble(constant), width, nu, power, np.longdouble(cost))
    gap = float((primal - dual) / max(size, 1e-12 * float(c @ np.abs(t)), 1e-300))
    seen["own"] += 1
    seen["worst own gap"] = max(seen["worst own gap"], gap)
    # what the digits of the values of the kernel, or of printed weights, leave of the gap
    noise = np.abs(beta).sum() * (np.max(np.diag(kernel(x, x))) if weights is None else 0) + np.abs(scores).max()
    noise = float(4 * np.finfo(float).eps * noise * c.sum() / max(size, np.longdouble(1e-300)))
    seen["own gap within the digits of the kernel"] += 4 * LIMIT < gap <= noise
    if kappa > PRECISE:
        noise = max(noise, 1e-4)
    if not gap <= max(4 * LIMIT, noise) or abs(float(beta.sum())) > 1e-8 * float(np.abs(beta).sum()):
        return "%s: own gap %g, sum %g of %g, n %d, C %g, %s" % (label, gap, beta.sum(), np.abs(beta).sum(), n, cost, made)
    if not with_peer:
        return None
    said = beside(kind, primal, noise, x, t, w, cost, width, nu, kernel, their, seen)
    return label + ": " + said if said else None


def hard(r, seen):
    x, made = columns(r)
    if "scaled" not in made and r.random() < 0.3:
        x = np.round(x, 1)
    t = classes(r, x, r.choice([0, 0.02, 0.1, 0.3, 1]))
    path = write(x, t, np.ones(len(t)), True)
    code, out, err = cairn("compute", "separability", path, "--target", "y", "--ignore", "w", "--format", "json")
    if code:
        return "separability: exit code %d: %s" % (code, err)
    found = json.loads(out)["values"]
    separable = found["separable"] == "yes"
    words = ["--target", "y", "--ignore", "w", "--format", "json"]
    solver = r.choice(["auto", "exact", "pairs"], p=[0.5, 0.4, 0.1])
    if given.only is not None:
        print(path)
    code, out, err = cairn("fit", "svm", path, *words, "--kernel", "linear", "--c", "inf", "--scale",
                           r.choice(["none", "standardise"]), "--solver", solver)
    if solver == "pairs" and "within 10000000 steps" in err:
        seen["hard, pairs did not end"] += 1
        return None
    seen["hard, separable" if separable else "hard, not separable"] += 1
    if separable and "not the one that is sought" in err and np.max((x ** 2).sum(1)) > 1e12 * found["nearest"] ** 2:
        seen["hard, separable, refused by the proof: too narrow for the digits of the numbers"] += 1
        return None
    if code != (0 if separable else 4):
        return "hard: separable %s, exit code %d: %s %s" % (separable, code, err.strip()[-200:], made)
    if code == 0 and max(json.loads(out)["values"][g] for g in ("certificate.gap", "certificate.conditions")) > LIMIT:
        return "hard: not proved"
    if r.random() < 0.2 and len(t) <= 60:
        code, out, err = cairn("compute", "svm-path", path, "--from", "1", *words)
        if code == 0 and (json.loads(out)["values"]["separable"] == "yes") != separable:
            return "svm-path: separable %s" % json.loads(out)["values"]["separable"]
        seen["paths" if code == 0 else "paths refused: " + err.strip()[:70]] += 1
        if "found no end" in err and np.max(((x - x.mean(0)) ** 2).sum(1)) < PRECISE:
            return "svm-path: " + err
    return None


parser = argparse.ArgumentParser()
parser.add_argument("build", nargs="?", default="build")
parser.add_argument("--problems", type=int, default=10000)
parser.add_argument("--hard", type=int, default=5000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--first", type=int, default=0)
parser.add_argument("--only", type=int)
parser.add_argument("--peer-share", type=float, default=0.3)
given = parser.parse_args()
BUILD, PEER_SHARE = given.build, given.peer_share
seen, wrong = collections.Counter(), collections.Counter()
for what, count in (("problem", given.problems), ("hard", given.hard)):
    for k in range(given.first, given.first + count) if given.only is None else [given.only] * (count > 0):
        r = np.random.default_rng([given.seed, k, what == "hard"])
        said = problem(r, k, seen) if what == "problem" else hard(r, seen)
        if said:
            wrong[said.split(":")[0]] += 1
            if sum(wrong.values()) <= 60:
                print("%s %d: %s" % (what, k, said), flush=True)
for name in sorted(seen):
    print("%-90s %s" % (name, seen[name]))
print("wrong", dict(wrong))
sys.exit(sum(wrong.values()) > 0)

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests, intervals and distributions against scipy: statistics on random inputs with ties, zeros and
tiny samples (1e-10), distributions over grids that reach far into the tails (1e-12, relative).
Where scipy is not accurate enough, or has no such number, the reference is mpmath, a count of all
cases, or the textbook formula. Prints the largest difference of every number and fails when one is
above its tolerance. `--build DIR --trials N --seed N`."""
import argparse
import itertools
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

warnings.filterwarnings("ignore")
mpmath.mp.dps = 40
worst = {}
program = "build/cairn"


def number(value):
    if value is None:
        return math.nan
    return {"inf": math.inf, "-inf": -math.inf}.get(value, value)


def run(*words):
    done = subprocess.run([program, "compute", *[str(w) for w in words], "--format", "json"],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("%s\n%s" % (" ".join(map(str, words)), done.stderr))
    return {k: number(v) for k, v in json.loads(done.stdout)["values"].items()}


def note(name, ours, theirs, where, tolerance=1e-10, relative=False):
    """A difference, absolute below 1 unless it is to be relative."""
    ours, theirs = float(ours), float(theirs)
    if (math.isnan(ours) and math.isnan(theirs)) or ours == theirs:
        difference = 0.0
    else:
        difference = abs(ours - theirs) / (abs(theirs) if relative else max(1.0, abs(theirs)))
    if math.isnan(difference):
        difference = math.inf
    count, largest, at, _ = worst.get(name, (0, 0.0, "", tolerance))
    if difference > largest:
        largest, at = difference, "%s: %.17g and %.17g" % (where, ours, theirs)
    worst[name] = (count + 1, largest, at, tolerance)


def typed(values):
    return ",".join(repr(float(v)) for v in values)


# -- differences of two learners --

def differences(random):
    n = int(random.choice([2, 3, 5, 9, 14, 24, 26, 60]))
    kind = random.integers(3)
    if kind == 0:
        return random.normal(0.2, 1, n)
    d = random.integers(-4, 5, n) / (4.0 if kind == 1 else 1.0)
    return d if np.any(d != 0) else d + 1


def students_t(random, where):
    d = differences(random)
    share = float(random.choice([0, 1 / 9, 0.5]))
    v = run("t-test", "--differences=" + typed(d), "--share", repr(share))
    n = len(d)
    mean, sd = d.mean(), d.std(ddof=1)
    error = sd * math.sqrt(1 / n + share)
    note("t.mean", v["mean"], mean, where)
    note("t.deviation", v["deviation"], sd, where)
    if sd < 1e-12:
        return
    t = mean / error
    note("t.t", v["t"], t, where)
    if share == 0:
        theirs = stats.ttest_1samp(d, 0)
        note("t.t", v["t"], theirs.statistic, where)
        note("t.p", v["p.two"], theirs.pvalue, where)
    note("t.p.corrected", v["p.two"], 2 * stats.t.sf(abs(t), n - 1), where)
    note("t.p.upper", v["p.upper"], stats.t.sf(t, n - 1), where)
    reach = float(mpmath.findroot(lambda x: t_tail(x, n - 1, True) - mpmath.mpf("0.025"),
                                  stats.t.isf(0.025, n - 1))) * error
    note("t.low", v["low"], mean - reach, where)
    note("t.high", v["high"], mean + reach, where)


def five_by_two(random, where):
    d = np.round(random.normal(0.02, 0.05, 10), int(random.choice([2, 8])))
    v = run("t-test", "--differences=" + typed(d), "--five-by-two")
    pairs = d.reshape(5, 2)
    s2 = ((pairs - pairs.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    if s2.sum() == 0:
        return
    t = pairs[0, 0] / math.sqrt(s2.mean())
    f = (d ** 2).sum() / (2 * s2.sum())
    note("5x2.t", v["five_by_two.t"], t, where)
    note("5x2.p", v["five_by_two.p"], 2 * stats.t.sf(abs(t), 5), where)
    note("5x2.f", v["five_by_two.f"], f, where)
    note("5x2.p_f", v["five_by_two.p_f"], stats.f.sf(f, 10, 5), where)


def wilcoxon(random, where):
    d = differences(random)
    kept = d[d != 0]
    v = run("wilcoxon", "--differences=" + typed(d))
    ranks = stats.rankdata(np.abs(kept))
    plus, minus = ranks[kept > 0].sum(), ranks[kept < 0].sum()
    note("wilcoxon.positive", v["positive"], plus, where)
    note("wilcoxon.negative", v["negative"], minus, where)
    n = len(kept)
    if n >= 2:
        theirs = stats.wilcoxon(kept, mode="approx", correction=False)
        note("wilcoxon.p.normal", v["p.normal"], theirs.pvalue, where)
    tied = len(np.unique(ranks)) < n
    if not tied and n < 25:
        note("wilcoxon.p.exact", v["p.exact"], stats.wilcoxon(kept, mode="exact").pvalue, where)
    if n <= 14:
        signs = np.array(list(itertools.product([0, 1], repeat=n)))
        share = np.mean(signs @ ranks <= min(plus, minus) + 1e-9)
        note("wilcoxon.p.counted", v["p.exact"], min(1, 2 * share), where)


def mcnemar(random, where):
    b, c = (int(x) for x in random.integers(0, int(random.choice([3, 12, 90])), 2))
    if b + c == 0:
        return
    v = run("mcnemar", "--first-only", b, "--second-only", c)
    exact = stats.binomtest(b, b + c, 0.5).pvalue
    note("mcnemar.statistic", v["statistic"], (b - c) ** 2 / (b + c), where)
    note("mcnemar.p.chi2", v["p.chi2"], stats.chi2.sf((b - c) ** 2 / (b + c), 1), where)
    note("mcnemar.p.corrected", v["p.corrected"],
         stats.chi2.sf(max(0, abs(b - c) - 1) ** 2 / (b + c), 1), where)
    note("mcnemar.p.exact", v["p.exact"], exact, where)
    # Fagerland, Lydersen and Laake 2013: half of the observed point alone where b = c
    here = stats.binom.pmf(min(b, c), b + c, 0.5)
    mid = 1 - here / 2 if b == c else 2 * stats.binom.cdf(min(b, c), b + c, 0.5) - here
    note("mcnemar.p.mid", v["p.mid"], mid, where)


# -- proportions --

def proportion(random, where):
    n = int(random.choice([1, 2, 7, 29, 100, 2000]))
    x = int(random.integers(0, n + 1))
    p0 = float(random.choice([0.5, 0.1, 0.73]))
    v = run("proportion", "--successes", x, "--n", n, "--against", p0)
    z = (x / n - p0) / math.sqrt(p0 * (1 - p0) / n)
    note("proportion.z", v["z"], z, where)
    note("proportion.p", v["p.two"], 2 * stats.norm.sf(abs(z)), where)
    for name, side in (("exact.two", "two-sided"), ("exact.lower", "less"),
                       ("exact.upper", "greater")):
        note("proportion." + name, v[name], stats.binomtest(x, n, p0, side).pvalue, where)
    m = int(random.choice([5, 80, 900]))
    y = int(random.integers(0, m + 1))
    e1, e2 = x / n, y / m
    sd = math.sqrt(e1 * (1 - e1) / n + e2 * (1 - e2) / m)
    if sd > 0:
        v = run("proportion", "--successes", x, "--n", n, "--second", y, "--second-n", m)
        note("difference.p", v["p.two"], 2 * stats.norm.sf(abs(e1 - e2) / sd), where)
        low = max(-1, e1 - e2 - stats.norm.isf(0.025) * sd)
        note("difference.low", v["low"], low, where)


def interval(random, where):
    n = int(random.choice([1, 3, 20, 200, 5000]))
    x = int(random.integers(0, n + 1))
    v = run("interval", "--errors", x, "--n", n, "--level", "0.5,0.95,0.99", "--exact", "yes")
    for level, key in ((0.5, "50"), (0.95, "95"), (0.99, "99")):
        theirs = stats.binomtest(x, n).proportion_ci(level)
        note("interval.exact_low", v["exact_low." + key], theirs.low, where)
        note("interval.exact_high", v["exact_high." + key], theirs.high, where)
        half = stats.norm.isf((1 - level) / 2) * math.sqrt(x / n * (1 - x / n) / n)
        note("interval.low", v["low." + key], max(0, x / n - half), where)
        note("interval.high", v["high." + key], min(1, x / n + half), where)
    v = run("interval", "--errors", x, "--n", n, "--level", "0.9", "--side", 1, "--exact", "yes")
    theirs = stats.binomtest(x, n, alternative="less").proportion_ci(0.9)
    note("interval.one_sided", v["exact_high.90"], theirs.high, where)


# -- several learners --

def friedman_statistic(ranks):
    n, k = ranks.shape
    middle = (k + 1) / 2
    between = n * ((ranks.mean(axis=0) - middle) ** 2).sum()
    overall = ((ranks - middle) ** 2).sum() / (n * (k - 1))
    return between / overall if overall > 0 else math.nan


def friedman(random, folder, where):
    n, k = int(random.choice([2, 3, 4, 10, 25])), int(random.choice([3, 3, 4, 6]))
    values = random.normal(size=(n, k)) if random.integers(2) else random.integers(0, 5, (n, k))
    path = os.path.join(folder, "results.csv")
    with open(path, "w") as out:
        out.write(",".join("abcdef"[:k]) + "\n")
        for row in values:
            out.write(typed(row) + "\n")
    ranks = np.vstack([stats.rankdata(-row) for row in values])
    if not np.isfinite(friedman_statistic(ranks)):
        return
    v = run("friedman", path)
    theirs = stats.friedmanchisquare(*[values[:, j] for j in range(k)])
    note("friedman.statistic", v["statistic"], theirs.statistic, where)
    note("friedman.p.chi2", v["p.chi2"], theirs.pvalue, where)
    s = theirs.statistic
    if n * (k - 1) - s > 1e-9:
        f = (n - 1) * s / (n * (k - 1) - s)
        note("friedman.f", v["f"], f, where)
        note("friedman.p.f", v["p.f"], stats.f.sf(f, k - 1, (k - 1) * (n - 1)), where)
    if math.factorial(k) ** n <= 20000:
        orders = [list(itertools.permutations(row)) for row in ranks]
        all_s = [friedman_statistic(np.array(case)) for case in itertools.product(*orders)]
        note("friedman.p.counted", v["p.exact"], np.mean(np.array(all_s) >= s - 1e-9), where)
    averages = ranks.mean(axis=0)
    scale = math.sqrt(k * (k + 1) / (6 * n))
    for a, b in itertools.combinations(range(k), 2):
        q = math.sqrt(2) * abs(averages[a] - averages[b]) / scale
        note("nemenyi.p", v["nemenyi.p.%s-%s" % ("abcdef"[a], "abcdef"[b])], range_upper(q, k), where)
    for b in range(1, k):
        p = 2 * stats.norm.sf(abs(averages[b] - averages[0]) / scale) * (k - 1)
        note("dunn.p", v["dunn.p.%s" % "abcdef"[b]], min(1, p), where)
    note("nemenyi.q", range_upper(v["nemenyi.q"] * math.sqrt(2), k), 0.05, where)
    note("dunn.q", v["dunn.q"], stats.norm.isf(0.05 / 2 / (k - 1)), where)


def range_upper(q, k):
    """Upper tail of the range of k standard normals."""
    if q <= 0:
        return 1.0
    mp = mpmath
    with mp.workdps(25):
        def inner(z):
            return mp.npdf(z) * (1 - (mp.ncdf(z) - mp.ncdf(z - q)) ** (k - 1))
        ends = [-12, -4, 0, 2, q, q + 4, q + 12] if q > 2 else [-12, -4, 0, 4, 12]
        return float(k * mp.quad(inner, ends) - (k - 1))


# -- distributions --

POINTS = [1e-300, 1e-40, 1e-10, 1e-3, 0.1, 0.5, 0.9, 1, 1.5, 2, 3, 5, 8, 12, 20, 37, 80, 200, 900,
          1e4, 1e8]
CHANCES = [1e-300, 1e-100, 1e-20, 1e-8, 0.001, 0.025, 0.1, 0.3, 0.5, 0.7, 0.975, 0.999]


def gamma_tail(x, shape, upper):
    x, shape = mpmath.mpf(x), mpmath.mpf(shape)
    return mpmath.gammainc(shape, x, mpmath.inf, regularized=True) if upper else \
        mpmath.gammainc(shape, 0, x, regularized=True)


def beta_tail(x, a, b, upper):
    x = mpmath.mpf(x)
    return mpmath.betainc(b, a, 0, 1 - x, regularized=True) if upper else \
        mpmath.betainc(a, b, 0, x, regularized=True)


def t_tail(x, df, upper):
    x, df = mpmath.mpf(x), mpmath.mpf(df)
    small = mpmath.betainc(df / 2, mpmath.mpf(1) / 2, 0, df / (df + x * x), regularized=True) / 2
    return small if (x > 0) == upper else 1 - small


def f_tail(x, a, b, upper):
    a, b, x = mpmath.mpf(a), mpmath.mpf(b), mpmath.mpf(x)
    if upper:
        return mpmath.betainc(b / 2, a / 2, 0, b / (b + a * x), regularized=True)
    return mpmath.betainc(a / 2, b / 2, 0, a * x / (b + a * x), regularized=True)


def binomial_tail(x, n, p, upper):
    p = mpmath.mpf(p)
    which = range(int(x) + 1, int(n) + 1) if upper else range(0, int(x) + 1)
    return mpmath.fsum(mpmath.binomial(int(n), i) * p ** i * (1 - p) ** (int(n) - i) for i in which)


def normal_tail(x, mean, sd, upper):
    z = (mpmath.mpf(x) - mpmath.mpf(mean)) / mpmath.mpf(sd)
    return mpmath.ncdf(-z if upper else z)


def densities():
    mp, m = mpmath, mpmath.mpf
    return {
        "normal": lambda x, a, b: mp.npdf(m(x), m(a), m(b)),
        "t": lambda x, v: mp.gamma((m(v) + 1) / 2) / mp.gamma(m(v) / 2) / mp.sqrt(m(v) * mp.pi) *
        (1 + m(x) ** 2 / m(v)) ** (-(m(v) + 1) / 2),
        "chi-squared": lambda x, v: (m(x) / 2) ** (m(v) / 2 - 1) * mp.exp(-m(x) / 2) / 2 /
        mp.gamma(m(v) / 2),
        "gamma": lambda x, k, s: (m(x) / m(s)) ** (m(k) - 1) * mp.exp(-m(x) / m(s)) / m(s) /
        mp.gamma(m(k)),
        "beta": lambda x, a, b: m(x) ** (m(a) - 1) * (1 - m(x)) ** (m(b) - 1) / mp.beta(m(a), m(b)),
        "f": lambda x, a, b: (m(a) / m(b)) ** (m(a) / 2) * m(x) ** (m(a) / 2 - 1) *
        (1 + m(a) * m(x) / m(b)) ** (-(m(a) + m(b)) / 2) / mp.beta(m(a) / 2, m(b) / 2),
        "binomial": lambda x, n, p: mp.binomial(int(n), int(x)) * m(p) ** int(x) *
        (1 - m(p)) ** (int(n) - int(x)),
    }


DISTRIBUTIONS = {
    # name: (scipy's, tail by mpmath, parameters, points)
    "normal": (lambda m, s: stats.norm(m, s), normal_tail, [(0, 1), (3, 0.5)],
               [-37.5, -20, -8, -3, -1, -0.1, 0, 1e-10, 0.5, 1, 2.5, 5, 9, 20, 37.5]),
    "t": (stats.t, t_tail, [(0.3,), (1,), (2,), (5,), (9,), (30,), (1000,), (1e6,)],
          [-1e8, -1e3, -40, -8, -2, -0.3, -1e-10, 1e-10, 0.1, 1, 2.26, 5, 12, 60, 1e5]),
    "chi-squared": (stats.chi2, lambda x, v, u: gamma_tail(mpmath.mpf(x) / 2, mpmath.mpf(v) / 2, u),
                    [(0.5,), (1,), (2,), (3,), (10,), (99,), (5000,)], POINTS),
    "gamma": (lambda k, s: stats.gamma(k, scale=s),
              lambda x, k, s, u: gamma_tail(mpmath.mpf(x) / mpmath.mpf(s), k, u),
              [(0.1, 1), (1, 2), (4.5, 0.25), (60, 1), (2000, 3)], POINTS),
    "beta": (stats.beta, beta_tail, [(0.5, 0.5), (1, 3), (2, 2), (7.5, 0.3), (40, 60), (900, 3000)],
             [1e-300, 1e-20, 1e-6, 0.01, 0.1, 0.23, 0.4, 0.5, 0.7, 0.9, 0.99, 0.999999]),
    "f": (stats.f, f_tail, [(1, 1), (1, 10), (2, 5), (10, 5), (30, 200), (500, 3)], POINTS),
    "binomial": (stats.binom, binomial_tail, [(1, 0.5), (10, 0.3), (40, 0.01), (300, 0.5), (1000, 0.9)],
                 [0, 1, 2, 5, 9, 10, 20, 39, 40, 150, 299, 300, 800, 999]),
}


def reference(value, exact, ours):
    """scipy's number where it agrees; otherwise that of mpmath."""
    value = float(value)
    if value == ours or abs(value - ours) <= 1e-14 * abs(value):
        return value
    return float(exact())


def distribution_points(name, frozen, tail, parameters, points):
    points = [x for x in points if frozen.support()[0] <= x <= frozen.support()[1]]
    density = densities()[name]
    v = run("distribution", name, "--parameters=" + typed(parameters), "--at=" + typed(points))
    pdf = frozen.pmf if name == "binomial" else frozen.pdf
    for i, x in enumerate(points):
        for what, theirs, exact in (
                ("density", pdf, lambda: density(x, *parameters)),
                ("lower", frozen.cdf, lambda: tail(x, *parameters, False)),
                ("upper", frozen.sf, lambda: tail(x, *parameters, True))):
            ours = v["at%d.%s" % (i + 1, what)]
            wanted = reference(theirs(x), exact, ours)
            if 0 < abs(wanted) < 1e-300:
                continue  # digits are lost below the smallest normal number
            note("%s.%s" % (name, what), ours, wanted, "%s at %r" % (parameters, x), 1e-12, True)


def distribution_quantiles(name, frozen, tail, parameters):
    v = run("distribution", name, "--parameters=" + typed(parameters), "--lower=" + typed(CHANCES),
            "--upper=" + typed(CHANCES))
    density = densities()[name]
    for i, p in enumerate(CHANCES):
        for side, theirs in (("lower", frozen.ppf), ("upper", frozen.isf)):
            ours, where = v["%s%d.quantile" % (side, i + 1)], "%s of %r" % (parameters, p)
            if name == "binomial":
                # the least k whose tail reaches p, by definition
                below = tail(ours - 1, *parameters, side == "upper") if ours > 0 else None
                here = tail(ours, *parameters, side == "upper")
                if side == "lower":
                    right = here >= p * (1 - 1e-13) and (below is None or below < p * (1 + 1e-13))
                else:
                    right = here <= p * (1 + 1e-13) and (below is None or below > p * (1 - 1e-13))
                note("binomial.quantile", 0 if right else 1, 0, where, 1e-12)
                continue
            wanted = float(theirs(p))
            close = wanted == ours or abs(wanted - ours) <= 1e-14 * abs(ours)
            if not close and 1e-290 < abs(ours) < 1e290:
                # one Newton step in many digits from our own point
                x = mpmath.mpf(ours)
                step = (tail(x, *parameters, side == "upper") - mpmath.mpf(p)) / \
                    density(x, *parameters)
                wanted = float(x + step if side == "upper" else x - step)
            elif not 1e-290 < abs(ours) < 1e290:
                continue
            scale = abs(ours) < 1e-6 and name in ("normal", "t")  # a median of 0
            note("%s.quantile" % name, ours, wanted, "%s %s" % (side, where), 1e-12, not scale)


def studentized():
    for k in (2, 3, 5, 10, 40):
        points = [0.05, 0.5, 1, 2, 3.3, 5, 8, 12]
        v = run("distribution", "studentized-range", "--parameters", "%d,inf" % k, "--at",
                typed(points), "--upper", "0.2,0.05,0.01,1e-6")
        for i, q in enumerate(points):
            where = "%d groups at %r" % (k, q)
            note("range.upper", v["at%d.upper" % (i + 1)], range_upper(q, k), where, 1e-12)
        for i, p in enumerate((0.2, 0.05, 0.01, 1e-6)):
            note("range.quantile", range_upper(v["upper%d.quantile" % (i + 1)], k) / p, 1,
                 "%d groups, %r" % (k, p), 1e-9)
    for df in (1, 2, 5, 9, 30, 400):  # two groups: the range is sqrt 2 |t|
        points = [0.01, 0.3, 1, 2, 3, 5, 9, 30]
        v = run("distribution", "studentized-range", "--parameters", "2,%d" % df, "--at",
                typed(points))
        for i, q in enumerate(points):
            where, t = "2 groups, %d df at %r" % (df, q), mpmath.mpf(q) / mpmath.sqrt(2)
            note("studentized.upper", v["at%d.upper" % (i + 1)], 2 * t_tail(t, df, True), where,
                 1e-12, True)
            note("studentized.lower", v["at%d.lower" % (i + 1)], 1 - 2 * t_tail(t, df, True), where,
                 1e-12, True)
            note("studentized.density", v["at%d.density" % (i + 1)],
                 densities()["t"](t, df) * mpmath.sqrt(2), where, 1e-12, True)
    for k, df in ((3, 4), (3, 20), (6, 10), (10, 60)):
        points = [0.5, 2, 3.5, 6]
        v = run("distribution", "studentized-range", "--parameters", "%d,%d" % (k, df), "--at",
                typed(points))
        for i, q in enumerate(points):
            note("studentized.scipy", v["at%d.lower" % (i + 1)],
                 stats.studentized_range.cdf(q, k, df), "%d groups, %d df at %r" % (k, df, q), 1e-10)


def main():
    global program
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = os.path.join(options.build, "cairn")
    random = np.random.default_rng(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        for trial in range(options.trials):
            where = "trial %d" % trial
            for test in (students_t, five_by_two, wilcoxon, mcnemar, proportion, interval):
                test(random, where)
            if trial % 4 == 0:
                friedman(random, folder, where)
    for name, (make, tail, cases, points) in DISTRIBUTIONS.items():
        for parameters in cases:
            frozen = make(*parameters)
            distribution_points(name, frozen, tail, parameters, points)
            distribution_quantiles(name, frozen, tail, parameters)
    studentized()
    failed = False
    for name, (count, largest, at, tolerance) in sorted(worst.items()):
        bad = largest > tolerance
        failed |= bad
        print("%-24s %6d numbers  largest difference %8.1e%s" %
              (name, count, largest, "  ABOVE %g at %s" % (tolerance, at) if bad else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

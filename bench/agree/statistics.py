#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compare the statistics of Cairn with numpy, scipy and pandas on random data with ties, missing
cells and weights. Prints the largest difference of each kind; ends with 1 when one is above 1e-10.

    bench/agree/statistics.py [--build build] [--seed 1] [--rounds 6]

A difference is |ours - theirs| / (1 + |theirs|). Needs python3-numpy, python3-scipy and
python3-pandas."""
import argparse
import json
import math
import os
import subprocess
import tempfile

import numpy
import pandas
from scipy import stats

LIMIT = 1e-10
RULES = {  # our name: numpy's
    "linear": "linear", "inverse": "inverted_cdf", "averaged": "averaged_inverted_cdf",
    "nearest": "closest_observation", "interpolated": "interpolated_inverted_cdf",
    "hazen": "hazen", "weibull": "weibull", "median-unbiased": "median_unbiased",
    "normal-unbiased": "normal_unbiased", "lower": "lower", "higher": "higher",
    "midpoint": "midpoint"}


class Comparison:
    def __init__(self, build):
        self.program = os.path.join(build, "cairn")
        self.worst = {}
        self.counts = {}

    def run(self, *words):
        """The values that a command reports."""
        command = [self.program, *map(str, words), "--format", "json"]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            raise SystemExit(f"{' '.join(command)}: {run.stderr}")
        return json.loads(run.stdout)["values"]

    def check(self, what, ours, theirs):
        """Remember how far two numbers are apart; undefined agrees with undefined."""
        ours = math.nan if ours is None else float(ours)
        theirs = float(theirs)
        if math.isnan(ours) or math.isnan(theirs):
            gap = 0 if math.isnan(ours) and math.isnan(theirs) else math.inf
        else:
            gap = abs(ours - theirs) / (1 + abs(theirs))
        self.counts[what] = self.counts.get(what, 0) + 1
        self.worst[what] = max(self.worst.get(what, 0), gap)

    def leave(self):
        for what in sorted(self.worst):
            print(f"{what:28} {self.counts[what]:6} numbers, largest difference {self.worst[what]:.1e}")
        largest = max(self.worst.values())
        print(f"largest difference of all: {largest:.1e}")
        raise SystemExit(largest > LIMIT)


def random_table(random, n):
    """Numbers of several shapes, some with ties and gaps, levels, a target and weights."""
    table = pandas.DataFrame({
        "normal": random.normal(50, 10, n),
        "far": random.normal(1e6, 3, n),
        "ties": random.integers(0, 7, n).astype(float),
        "skewed": random.lognormal(0, 1.5, n),
        "gaps": numpy.where(random.random(n) < 0.2, numpy.nan, random.normal(size=n)),
        "also": numpy.where(random.random(n) < 0.1, numpy.nan, random.gamma(2, 2, n)),
    })
    table["mixed"] = 0.5 * table["normal"] + random.normal(0, 3, n)
    table["colour"] = random.choice(["red", "green", "blue", "grey"], n, p=[.5, .3, .15, .05])
    table["shape"] = numpy.where(random.random(n) < 0.6, table["colour"].str[0], "z")
    table["label"] = random.choice(["yes", "no"], n)
    table["weight"] = random.integers(0, 4, n)
    return table


NUMBERS = ["normal", "far", "ties", "skewed", "gaps", "also", "mixed"]


def write(table, folder, name):
    path = os.path.join(folder, name)
    table.to_csv(path, index=False, float_format="%.17g")
    return path


def compare_moments(c, values, column, x, divisor):
    x = x[~numpy.isnan(x)]
    c.check("mean", values["mean." + column], numpy.mean(x))
    c.check("variance", values["variance." + column], numpy.var(x, ddof=divisor))
    c.check("sd", values["sd." + column], numpy.std(x, ddof=divisor))
    centred = x.astype(numpy.longdouble)  # a mean rounded to a double costs scipy ten digits
    centred -= centred.mean()
    c.check("skewness", values["skewness." + column], stats.skew(centred))
    c.check("kurtosis", values["kurtosis." + column], stats.kurtosis(centred, fisher=False))
    c.check("excess", values["excess." + column], stats.kurtosis(centred))
    for order in (2, 3, 4):
        c.check(f"moment {order}", values[f"m{order}.{column}"] / numpy.std(x) ** order,
                stats.moment(centred, order) / numpy.std(x) ** order)
    c.check("median", values["median." + column], numpy.median(x))
    c.check("q1", values["q1." + column], numpy.quantile(x, 0.25))
    c.check("iqr", values["iqr." + column], stats.iqr(x))
    c.check("range", values["range." + column], numpy.ptp(x))
    modes = pandas.Series(x).mode()
    c.check("number of modes", values["modes." + column], len(modes))
    for i, mode in enumerate(modes[:3]):
        c.check("mode", values[f"mode.{column}.{i + 1}"], mode)


def compare_describe(c, table, path):
    for divisor, name in ((1, "n-1"), (0, "n")):
        values = c.run("describe", path, "--target", "label", "--ignore", "weight", "--show", "all",
                       "--correlation", "both", "--divisor", name)
        for column in NUMBERS:
            compare_moments(c, values, column, table[column].to_numpy(), divisor)
    pearson, spearman = table[NUMBERS].corr(), table[NUMBERS].corr(method="spearman")
    for a in NUMBERS:
        for b in NUMBERS:
            c.check("Pearson", values[f"correlation.{a}.{b}"], pearson.loc[a, b])
            c.check("Spearman", values[f"spearman.{a}.{b}"], spearman.loc[a, b])
    complete = ["normal", "ties", "skewed", "mixed"]
    covariance = numpy.cov(table[complete].to_numpy().T, ddof=0)
    for i, a in enumerate(complete):
        for j, b in enumerate(complete):
            c.check("covariance", values[f"covariance.{a}.{b}"], covariance[i, j])
    crossed = pandas.crosstab(table["colour"], table["shape"])
    result = stats.chi2_contingency(crossed, correction=False)
    c.check("chi-squared", values["chi_squared.colour.shape"], result[0])
    c.check("chi-squared p", values["p_value.colour.shape"], result[1])
    c.check("degrees", values["degrees.colour.shape"], result[2])
    c.check("Cramér's V", values["cramer_v.colour.shape"],
            stats.contingency.association(crossed, method="cramer"))
    for column in NUMBERS:
        groups = [g.dropna() for _, g in table.groupby("label")[column]]
        f, p = stats.f_oneway(*groups)
        x = table[column].dropna()
        within = sum(((g - g.mean()) ** 2).sum() for g in groups)
        c.check("eta squared", values["target.strength." + column],
                1 - within / ((x - x.mean()) ** 2).sum())
        c.check("F", values["target.statistic." + column], f)
        c.check("F p", values["target.p_value." + column], p)


def compare_weights(c, table, path):
    """Whole weights are repeats."""
    values = c.run("describe", path, "--target", "label", "--weight", "weight", "--show", "all")
    repeated = table.loc[table.index.repeat(table["weight"])]
    for column in NUMBERS:
        compare_moments(c, values, column, repeated[column].to_numpy(), 1)
    pearson = repeated[NUMBERS].corr()
    for a in NUMBERS:
        for b in NUMBERS:
            c.check("Pearson, weighted", values[f"correlation.{a}.{b}"], pearson.loc[a, b])
    counts = repeated["colour"].value_counts()
    for level, count in counts.items():
        c.check("count", values[f"count.colour.{level}"], count)


def compare_quantiles(c, random, table, path):
    probabilities = numpy.round(random.random(15), 6)
    for column in ("ties", "skewed", "gaps"):
        x = table[column].dropna().to_numpy()
        for rule, method in RULES.items():
            values = c.run("compute", "statistics", path, "--column", column, "--quantile", rule,
                           "--probabilities", ",".join(map(repr, probabilities.tolist())))
            for i, p in enumerate(probabilities):
                c.check("quantile, " + rule, values[f"quantile.{i + 1}"],
                        numpy.quantile(x, p, method=method))


def compare_frequencies(c, random, table, path):
    x = table["skewed"].to_numpy()
    edges = numpy.round(numpy.sort(random.random(6)) * 8, 3)
    values = c.run("compute", "frequency", path, "--column", "skewed", "--cuts",
                   ",".join(map(repr, edges.tolist())))
    for i, count in enumerate(numpy.histogram(x, edges)[0]):
        c.check("histogram", values[f"count.{i + 1}"], count)
    points = numpy.round(random.random(5) * 5, 3)
    values = c.run("compute", "percentiles", path, "--column", "skewed", "--at",
                   ",".join(map(repr, points.tolist())))
    for i, point in enumerate(points):
        c.check("P(X <= x)", values[f"at.{i + 1}.share"],
                stats.percentileofscore(x, point, "weak") / 100)


def compare_files(c, random, table, other, path, other_path):
    values = c.run("describe", path, "--ignore", "weight", "--against", other_path, "--show", "checks")
    for column in NUMBERS:
        a, b = table[column].dropna(), other[column].dropna()
        c.check("KS distance", values["against.statistic." + column], stats.ks_2samp(a, b).statistic)
        exact = len(a) * len(b) <= 4e6
        if exact:
            p = stats.ks_2samp(a, b, method="exact").pvalue
        else:
            p = stats.kstwobign.sf(stats.ks_2samp(a, b).statistic *
                                   math.sqrt(len(a) * len(b) / (len(a) + len(b))))
        c.check("KS p, exact" if exact else "KS p, limit", values["against.p_value." + column], p)
    both = pandas.DataFrame({"a": table["colour"].value_counts(),
                             "b": other["colour"].value_counts()}).fillna(0)
    result = stats.chi2_contingency(both.T, correction=False)
    c.check("chi-squared of files", values["against.statistic.colour"], result[0])
    c.check("chi-squared of files, p", values["against.p_value.colour"], result[1])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--build", default="build")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rounds", type=int, default=6)
    options = options.parse_args()
    random = numpy.random.default_rng(options.seed)
    c = Comparison(options.build)
    with tempfile.TemporaryDirectory() as folder:
        for i in range(options.rounds):
            table = random_table(random, [30, 173, 900, 2500][i % 4])
            other = random_table(random, [41, 120, 700, 2600][i % 4])
            other["skewed"] *= 1.1
            path, other_path = write(table, folder, "a.csv"), write(other, folder, "b.csv")
            compare_describe(c, table, path)
            compare_weights(c, table, path)
            compare_quantiles(c, random, table, path)
            compare_frequencies(c, random, table, path)
            compare_files(c, random, table, other, path, other_path)
    c.leave()


main()

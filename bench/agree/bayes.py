#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Naive Bayes against scikit-learn on random tables: Gaussian (with variance smoothing and without),
categorical, multinomial and Bernoulli columns, with weights, priors and smoothings of all sizes.
Compares probabilities and logarithms of joint probabilities and fails when a difference is above
1e-9. `--build DIR --trials N`."""
import argparse
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from scipy.special import logsumexp
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

warnings.filterwarnings("ignore")
worst = {}


def note(name, ours, theirs):
    difference = np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs)))
    count, largest = worst.get(name, (0, 0.0))
    worst[name] = (count + 1, max(largest, np.inf if np.isnan(difference) else difference))


def write(path, x, y, w):
    with open(path, "w") as out:
        out.write(",".join("x%d" % j for j in range(x.shape[1])) + ",w,y\n")
        for row, weight, label in zip(x, w, y):
            out.write(",".join(repr(v) for v in row.tolist()) + ",%r,c%d\n" % (weight, label))


def cairn(program, folder, x, y, w, options):
    """Probabilities in the order of the classes, and both logarithms, for the training rows."""
    data, model, said = (os.path.join(folder, n) for n in ("d.csv", "m.cairn", "p.csv"))
    write(data, x, y, w)
    subprocess.run([program, "fit", "bayes", data, "--target", "y", "--weight", "w", "--save", model,
                    "--quiet"] + options, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "predict", model, data, "--output", "all", "--out", said, "--quiet"],
                   check=True)
    with open(said) as file:
        head = file.readline().rstrip("\n").split(",")
        rows = [line.rstrip("\n").split(",") for line in file]
    order = np.argsort([int(h[3:-1]) for h in head if h.startswith("p(")])
    first = next(i for i, h in enumerate(head) if h.startswith("p("))
    p = np.array([[float(r[first + i]) for i in order] for r in rows])
    return (p, np.array([float(r[head.index("log_joint")]) for r in rows]),
            np.array([float(r[head.index("log_evidence")]) for r in rows]))


def trial(program, folder, random, kind):
    n, d, k = random.integers(20, 300), random.integers(1, 8), random.integers(2, 5)
    y = np.concatenate([np.arange(k), np.arange(k), random.integers(0, k, n)])
    n = len(y)
    w = random.integers(1, 4, n).astype(float) if random.random() < 0.5 else np.ones(n)
    alpha = float(random.choice([0.1, 0.5, 1.0, 3.0]))
    uniform = random.random() < 0.3
    prior = ["--prior", "uniform"] if uniform else []
    if kind == "gaussian":
        x = random.normal(size=(n, d)) * 10.0 ** random.integers(-3, 4, d) + y[:, None] * \
            random.normal(size=d) + 10.0 ** random.integers(0, 3)
        added = float(random.choice([0, 1e-6]))
        model = GaussianNB(var_smoothing=added, priors=[1 / k] * k if uniform else None)
        options = ["--least-variance", "1e-300", "--add-variance", repr(added)]
        if added:  # the peer leaves weights out of the largest variance
            w = np.ones(n)
    elif kind == "categorical":
        levels = random.integers(2, 6, d)
        x = np.column_stack([np.concatenate([np.arange(l), random.integers(0, l, n - l)])
                             for l in levels])
        model = CategoricalNB(alpha=alpha, fit_prior=not uniform)
        options = ["--density", "categorical", "--smooth", "lambda:%r" % alpha]
    elif kind == "multinomial":
        x = random.poisson(1.5, (n, d))
        model = MultinomialNB(alpha=alpha, fit_prior=not uniform)
        options = ["--density", "multinomial", "--smooth", "lambda:%r" % alpha]
    else:
        x = random.integers(0, 2, (n, d))
        model = BernoulliNB(alpha=alpha, fit_prior=not uniform)
        options = ["--density", "bernoulli", "--smooth", "lambda:%r" % alpha]
    model.fit(x, y, sample_weight=w)
    joint = model._joint_log_likelihood(x)
    p, best, evidence = cairn(program, folder, x, y, w, options + prior)
    note(kind + ": probability", p, model.predict_proba(x))
    note(kind + ": log of the joint probability", best, joint.max(axis=1))
    note(kind + ": log of the evidence", evidence, logsumexp(joint, axis=1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--trials", type=int, default=25)
    options = parser.parse_args()
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.trials):
            for kind in ("gaussian", "categorical", "multinomial", "bernoulli"):
                trial(os.path.join(options.build, "cairn"), folder, random, kind)
    for name, (count, largest) in sorted(worst.items()):
        print("%-48s %5d  %.2g" % (name, count, largest))
    sys.exit(any(largest > 1e-9 for _, largest in worst.values()))


main()

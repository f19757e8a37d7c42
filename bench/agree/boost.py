#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Gradient boosting against scikit-learn and xgboost on tables whose columns have few values, so
that bins lose nothing. Order `first` must be GradientBoosting (squared, logistic and softmax loss)
to rounding; order `second` must be xgboost's exact trees to the digits of its floats.

Absolute, huber and quantile are compared with the algorithm written out below: their residuals have
few different values, so that many splits gain the same, of which scikit-learn takes one at random,
and its medians of an even number of rows are the lower of the two in the middle, not the mean of
both. `--build DIR`."""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

ROUNDS, DEPTH = 20, 3
FIRST = ["--order", "first", "--l2", "0", "--min-leaf", "1"]
SECOND = ["--l2", "1", "--l1", "0.5", "--min-leaf", "0", "--min-hessian", "1"]
failed = []


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))


def answers(build, folder, x, y, classes, options):
    """What cairn says of its training rows: a number, or the probability of class c1."""
    table, model, said = (os.path.join(folder, name) for name in ("d.csv", "m.cairn", "said.csv"))
    with open(table, "w") as out:
        out.write(",".join("x%d" % c for c in range(x.shape[1])) + ",y\n")
        for row, target in zip(x, y):
            cell = "c%d" % target if classes else repr(float(target))
            out.write(",".join(repr(float(v)) for v in row) + "," + cell + "\n")
    cairn = os.path.join(build, "cairn")
    run(cairn, "fit", "boost", table, "--target", "y", "--task", "classify" if classes else "regress",
        "--rounds", str(ROUNDS), "--grow", "depth", "--max-depth", str(DEPTH), "--save", model,
        "--force", *options)
    run(cairn, "predict", model, table, "--output", "scores" if classes else "label", "--out", said)
    with open(said) as file:
        place = file.readline().strip().split(",").index("p(c1)" if classes else "y")
        return np.array([float(line.split(",")[place]) for line in file])


def compare(what, ours, theirs, tolerance):
    difference = np.abs(ours - theirs).max()
    good = difference <= tolerance
    print("%-40s largest difference %.2g%s" % (what, difference, "" if good else "  DIFFERS"))
    if not good:
        failed.append(what)


def quantile(values, share):
    """The value below which a share lies; where it falls between two, the middle."""
    values, place = np.sort(values), share * len(values)
    after = int(np.floor(place + 1e-9))
    if abs(place - after) < 1e-9 and after < len(values):
        return values[after - 1] / 2 + values[after] / 2
    return values[min(after, len(values) - 1)]


def leaves(x, residuals, rows, depth):
    """The rows of the leaves of a tree fitted by squares; of equal gains the first wins."""
    most, best, total, n = 1e-9, None, residuals[rows].sum(), len(rows)
    for column in x[rows].T if depth and n > 1 else ():
        for cut in np.unique(column)[:-1]:
            left = column <= cut
            part, k = residuals[rows][left].sum(), left.sum()
            gain = part ** 2 / k + (total - part) ** 2 / (n - k) - total ** 2 / n
            if gain > most * (1 + 1e-9):
                most, best = gain, left
    if best is None:
        return [rows]
    return [leaf for side in (best, ~best) for leaf in leaves(x, residuals, rows[side], depth - 1)]


def written_out(loss, x, y, level=0.9):
    middle = level if loss == "quantile" else 0.5
    sums = np.full(len(y), quantile(y, middle))
    for _ in range(ROUNDS):
        away = y - sums
        delta = quantile(np.abs(away), level)
        residuals = {"absolute": np.sign(away), "huber": np.clip(away, -delta, delta),
                     "quantile": np.where(away > 0, level, level - 1)}[loss]
        for rows in leaves(x, residuals, np.arange(len(y)), DEPTH):
            value = quantile(away[rows], middle)
            if loss == "huber":
                value += np.clip(away[rows] - value, -delta, delta).mean()
            sums[rows] += 0.1 * value
    return sums


def against_sklearn(ask, x, y, label, three):
    settings = {"n_estimators": ROUNDS, "max_depth": DEPTH, "criterion": "squared_error"}
    peer = GradientBoostingRegressor(**settings).fit(x, y)
    compare("squared, first order", ask(x, y, False, FIRST), peer.predict(x), 1e-10)
    peer = GradientBoostingClassifier(**settings).fit(x, label)
    compare("logistic, first order", ask(x, label, True, FIRST), peer.predict_proba(x)[:, 1], 1e-10)
    peer = GradientBoostingClassifier(**settings).fit(x, three)
    compare("softmax, first order", ask(x, three, True, FIRST), peer.predict_proba(x)[:, 1], 1e-10)
    for loss in ("absolute", "huber", "quantile"):
        compare(loss, ask(x, y, False, FIRST + ["--loss", loss]), written_out(loss, x, y), 1e-10)


def against_xgboost(ask, x, y, label, three):
    try:
        import xgboost
    except ImportError:
        print("xgboost is not there")
        return
    cases = [("squared", "reg:squarederror", y), ("logistic", "binary:logistic", label),
             ("poisson", "count:poisson", np.maximum(0, np.round(y)))]
    for loss, objective, target in cases:
        settings = {"objective": objective, "eta": 0.1, "max_depth": DEPTH, "lambda": 1, "alpha": 0.5,
                    "min_child_weight": 1, "tree_method": "exact", "base_score": target.mean()}
        if loss == "poisson":
            settings["max_delta_step"] = 0
        data = xgboost.DMatrix(x, label=target)
        theirs = xgboost.train(settings, data, ROUNDS).predict(data)
        ours = ask(x, target, loss == "logistic", SECOND + ["--loss", loss])
        compare(loss + ", second order", ours, theirs, 1e-4)
    # with several classes xgboost doubles the second derivatives
    settings = {"objective": "multi:softprob", "num_class": 3, "eta": 0.2, "max_depth": DEPTH,
                "lambda": 2, "alpha": 0.5, "min_child_weight": 2, "tree_method": "exact"}
    start = np.tile(np.log(np.bincount(three) / len(three)), (len(three), 1))
    data = xgboost.DMatrix(x, label=three, base_margin=start)
    theirs = xgboost.train(settings, data, ROUNDS).predict(data)[:, 1]
    compare("softmax, second order", ask(x, three, True, SECOND), theirs, 1e-4)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    build = parser.parse_args().build
    random = np.random.default_rng(3)
    x = random.integers(0, 50, size=(200, 4)).astype(float)
    y = 0.3 * x[:, 0] - 0.2 * x[:, 1] + 4 * np.sin(x[:, 2] / 5) + random.normal(size=200)
    label = (y > np.median(y)).astype(int)
    three = np.digitize(y, np.quantile(y, [0.3, 0.7]))
    with tempfile.TemporaryDirectory() as folder:
        def ask(*arguments):
            return answers(build, folder, *arguments)
        against_sklearn(ask, x, y, label, three)
        against_xgboost(ask, x, y, label, three)
    sys.exit(1 if failed else 0)


main()

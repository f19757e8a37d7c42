#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Gradient boosting against scikit-learn and xgboost on tables whose columns have few values, so
that bins lose nothing. Order `first` must be GradientBoosting (squared and logistic loss) to
rounding; order `second` must be xgboost's exact trees to the digits of its floats. `--build DIR`."""
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


def against_sklearn(ask, x, y, label):
    settings = {"n_estimators": ROUNDS, "max_depth": DEPTH, "criterion": "squared_error"}
    peer = GradientBoostingRegressor(**settings).fit(x, y)
    compare("squared, first order", ask(x, y, False, FIRST), peer.predict(x), 1e-10)
    peer = GradientBoostingClassifier(**settings).fit(x, label)
    compare("logistic, first order", ask(x, label, True, FIRST), peer.predict_proba(x)[:, 1], 1e-10)


def against_xgboost(ask, x, y, label):
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    build = parser.parse_args().build
    random = np.random.default_rng(3)
    x = random.integers(0, 50, size=(200, 4)).astype(float)
    y = 0.3 * x[:, 0] - 0.2 * x[:, 1] + 4 * np.sin(x[:, 2] / 5) + random.normal(size=200)
    label = (y > np.median(y)).astype(int)
    with tempfile.TemporaryDirectory() as folder:
        def ask(*arguments):
            return answers(build, folder, *arguments)
        against_sklearn(ask, x, y, label)
        against_xgboost(ask, x, y, label)
    sys.exit(1 if failed else 0)


main()

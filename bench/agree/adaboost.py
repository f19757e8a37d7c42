#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""AdaBoost of stumps against scikit-learn's AdaBoostClassifier (SAMME), whose weights of votes are
2 alpha, and the real form against SAMME.R written out below: errors, weights of votes and training
errors of all rounds to nine digits, for two to five classes. Columns are random numbers, so that no
two cuts gain the same, drawn so that no leaf has two classes of equal weight: of those scikit-learn
takes the first by name and a tree here the first among its rows. `--build DIR`."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

ROUNDS, LEAST = 15, 1e-10
failed = []


def rounds_of(build, folder, x, y, form):
    """Errors, alphas, Z and training errors that cairn reports."""
    table = os.path.join(folder, "d.csv")
    with open(table, "w") as out:
        out.write(",".join("x%d" % c for c in range(x.shape[1])) + ",y\n")
        for row, target in zip(x, y):
            out.write(",".join(repr(float(v)) for v in row) + ",c%d\n" % target)
    command = [os.path.join(build, "cairn"), "fit", "adaboost", table, "--target", "y", "--learner",
               "(tree:max-depth=1,impurity=gini)", "--rounds", str(ROUNDS), "--form", form,
               "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    values = json.loads(done.stdout)["values"]
    return [np.array([values["round%d.%s" % (t + 1, name)] for t in range(ROUNDS)])
            for name in ("epsilon", "alpha", "z", "error")]


def compare(what, ours, theirs):
    difference = np.abs(ours - theirs).max()
    good = difference <= 1e-9
    print("%-40s largest difference %.2g%s" % (what, difference, "" if good else "  DIFFERS"))
    if not good:
        failed.append(what)


def samme_r(x, y, k):
    """Errors, Z and training errors of the real form."""
    n = len(y)
    weights, sums, found = np.ones(n) / n, np.zeros((n, k)), []
    for _ in range(ROUNDS):
        stump = DecisionTreeClassifier(max_depth=1).fit(x, y, sample_weight=weights)
        logs = np.log(np.maximum(stump.predict_proba(x), LEAST))
        error = weights[stump.predict(x) != y].sum()
        sums += (k - 1) * (logs - logs.mean(axis=1, keepdims=True))
        code = np.full((n, k), -1 / (k - 1))
        code[np.arange(n), y] = 1
        weights = weights * np.exp(-(k - 1) / k * (code * logs).sum(axis=1))
        z = weights.sum()
        weights /= z
        found.append((error, z, np.mean(sums.argmax(axis=1) != y)))
    return np.array(found).T


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build")
    build = parser.parse_args().build
    random = np.random.default_rng(2)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        for k in (2, 3, 5):
            x = random.normal(size=(400, 6))
            y = np.digitize(x[:, 0] + x[:, 1] ** 2 + random.normal(size=400) * 0.5,
                            np.linspace(-0.5, 2.5, k - 1) if k > 2 else [0.8])
            model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=ROUNDS,
                                       algorithm="SAMME", random_state=1).fit(x, y)
            epsilon, alpha, _, error = rounds_of(build, folder, x, y, "discrete")
            compare("%d classes, errors" % k, epsilon, model.estimator_errors_)
            compare("%d classes, weights of votes" % k, alpha, model.estimator_weights_ / 2)
            compare("%d classes, training errors" % k, error,
                    np.array([np.mean(said != y) for said in model.staged_predict(x)]))
            wanted = samme_r(x, y, k)
            epsilon, _, z, error = rounds_of(build, folder, x, y, "real")
            compare("%d classes, real, errors" % k, epsilon, wanted[0])
            compare("%d classes, real, Z" % k, z, wanted[1])
            compare("%d classes, real, training errors" % k, error, wanted[2])
    sys.exit("%d comparisons differ" % len(failed) if failed else 0)


main()

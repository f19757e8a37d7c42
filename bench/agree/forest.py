#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Forests against scikit-learn on the data sets of a folder: out-of-bag error, error on a third that
is held out, extremely randomised trees, and impurity importances, over several seeds. Two forests
never agree exactly; their means over seeds must, within four standard errors and 0.003. `--build DIR
--data DIR --seeds N`; data sets that are not there are left out."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
from sklearn.ensemble import (ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier,
                              RandomForestRegressor)

# file, target, classes or numbers
SETS = [("breast_cancer.csv", None, True), ("wine.csv", None, True), ("digits.csv", None, True),
        ("spambase.csv", None, True), ("letter.csv", "letter", True),
        ("covtype_10k.csv", None, True), ("mammography.csv", "label", True),
        ("diabetes.csv", None, False), ("california_housing.csv", "median_house_value", False)]
TREES = 100
failed = []


def cairn(build, *arguments):
    done = subprocess.run([os.path.join(build, "cairn")] + list(arguments) + ["--format", "json"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit("cairn %s\n%s" % (" ".join(arguments), done.stderr))
    return json.loads(done.stdout)["values"]


def compare(what, ours, theirs):
    """Means over seeds; numbers are relative to the size of theirs where that is above 1."""
    ours, theirs = np.array(ours), np.array(theirs)
    scale = max(1.0, abs(theirs.mean()))
    spread = np.sqrt(ours.var(ddof=1) / len(ours) + theirs.var(ddof=1) / len(theirs)) / scale
    difference = abs(ours.mean() - theirs.mean()) / scale
    good = difference <= 4 * spread + 0.003
    print("  %-22s cairn %.4f ± %.4f, scikit-learn %.4f ± %.4f%s" % (
        what, ours.mean(), ours.std(ddof=1), theirs.mean(), theirs.std(ddof=1),
        "" if good else "  DIFFERS"))
    if not good:
        failed.append(what)


def judge(truth, said, classes, variance):
    """Share of errors, or the mean squared error as a share of the variance."""
    return (truth != said).mean() if classes else ((truth - said) ** 2).mean() / variance


def run(build, folder, data, target, classes, seeds):
    train, test = os.path.join(folder, "train.csv"), os.path.join(folder, "test.csv")
    parts = data.sample(frac=1, random_state=7)
    cut = len(parts) * 2 // 3
    parts[:cut].to_csv(train, index=False)
    parts[cut:].to_csv(test, index=False)
    x, y = parts.drop(columns=target).to_numpy(), parts[target].to_numpy()
    mtry = max(1, int(np.sqrt(x.shape[1])) if classes else x.shape[1] // 3)
    variance = None if classes else y[:cut].var()
    task = ["--target", target, "--task", "classify" if classes else "regress"]
    seen = {name: ([], []) for name in ("out of bag", "held out", "extra trees")}
    importance = ([], [])
    for seed in range(1, seeds + 1):
        model = os.path.join(folder, "model.cairn")
        values = cairn(build, "fit", "forest", train, *task, "--seed", str(seed), "--trees",
                       str(TREES), "--mtry", str(mtry), "--save", model)
        seen["out of bag"][0].append(values["oob.error"] if classes else
                                     values["oob.mse"] / variance)
        names = [c for c in parts.columns if c != target]
        importance[0].append([values["importance." + n.replace(".", "\\.")] for n in names])
        values = cairn(build, "evaluate", model, test)
        seen["held out"][0].append(1 - values["accuracy"] if classes else
                                   values["rmse"] ** 2 / variance)
        cairn(build, "fit", "forest", train, *task, "--seed", str(seed), "--trees", str(TREES),
              "--mtry", str(mtry), "--sample", "all", "--cuts", "random", "--save", model)
        values = cairn(build, "evaluate", model, test)
        seen["extra trees"][0].append(1 - values["accuracy"] if classes else
                                      values["rmse"] ** 2 / variance)
        make = RandomForestClassifier if classes else RandomForestRegressor
        peer = make(n_estimators=TREES, max_features=mtry, oob_score=True, random_state=seed,
                    n_jobs=2).fit(x[:cut], y[:cut])
        said = peer.classes_[np.argmax(np.nan_to_num(peer.oob_decision_function_), 1)] \
            if classes else peer.oob_prediction_
        seen["out of bag"][1].append(judge(y[:cut], said, classes, variance))
        seen["held out"][1].append(judge(y[cut:], peer.predict(x[cut:]), classes, variance))
        importance[1].append(peer.feature_importances_)
        make = ExtraTreesClassifier if classes else ExtraTreesRegressor
        peer = make(n_estimators=TREES, max_features=mtry, random_state=seed, n_jobs=2)
        peer.fit(x[:cut], y[:cut])
        seen["extra trees"][1].append(judge(y[cut:], peer.predict(x[cut:]), classes, variance))
    for name, (ours, theirs) in seen.items():
        compare(name, ours, theirs)
    ours, theirs = np.mean(importance[0], 0), np.mean(importance[1], 0)
    likeness = np.corrcoef(ours, theirs)[0, 1]
    print("  %-22s correlation %.5f" % ("importances", likeness))
    if likeness < 0.98:
        failed.append("importances")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--data", required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("sets", nargs="*", help="beginnings of file names; all when none is given")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, target, classes in SETS:
            path = os.path.join(options.data, name)
            wanted = not options.sets or any(name.startswith(s) for s in options.sets)
            if not wanted or not os.path.exists(path):
                continue
            data = pd.read_csv(path).dropna()
            target = target or data.columns[-1]
            kept = [c for c in data.columns if c == target or data[c].dtype.kind in "if"]
            print("%s: %d rows, %d columns" % (name, len(data), len(kept) - 1), flush=True)
            run(options.build, folder, data[kept], target, classes, options.seeds)
    sys.exit("%d comparisons differ" % len(failed) if failed else 0)


main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Votes, bagging and stacking against scikit-learn on its own data sets: classes and probabilities of
voting members that have no chance in them must be the same; errors of bagged trees (out-of-bag and on
a third that is held out) and of stacking, over several seeds, within four standard errors and 0.005.
`--build DIR --seeds N`."""
import argparse
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import BaggingClassifier, BaggingRegressor, StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

failed = []
TREE = "tree:preset=full,impurity=gini,tie=random"


def nearest(k):
    return make_pipeline(StandardScaler(), KNeighborsClassifier(k))


def cairn(build, *arguments, text=False):
    done = subprocess.run([os.path.join(build, "cairn")] + list(arguments)
                          + ([] if text else ["--format", "json"]), capture_output=True, text=True)
    if done.returncode:
        sys.exit("cairn %s\n%s" % (" ".join(arguments), done.stderr))
    return done.stdout if text else json.loads(done.stdout)["values"]


def compare(what, ours, theirs):
    """Means over seeds; of numbers relative to theirs."""
    ours, theirs = np.array(ours), np.array(theirs)
    scale = max(1.0, abs(theirs.mean()))
    spread = np.sqrt(ours.var(ddof=1) / len(ours) + theirs.var(ddof=1) / len(theirs)) / scale
    apart = abs(ours.mean() - theirs.mean()) / scale
    right = apart <= 4 * spread + 0.005
    print("%-44s ours %.4f theirs %.4f%s" % (what, ours.mean(), theirs.mean(), "" if right else "  APART"))
    if not right:
        failed.append(what)


def same(what, ours, theirs):
    apart = float(np.max(np.abs(ours - theirs)))
    print("%-44s largest difference %.2g" % (what, apart))
    if not apart <= 1e-9:
        failed.append(what)


def write(folder, name, x, y):
    table = pd.DataFrame(x, columns=["x%d" % i for i in range(x.shape[1])])
    table["y"] = y
    path = os.path.join(folder, name)
    table.to_csv(path, index=False)
    return path


def votes(build, folder, name, train, test, x, y):
    """Nearest neighbours and naive Bayes: no chance, same answers."""
    members = [("a", nearest(1)), ("b", nearest(15)), ("c", GaussianNB(var_smoothing=0))]
    specs = ["--learner", "knn:k=1", "--learner", "knn:k=15", "--learner", "gaussian:covariance=diagonal"]
    file = os.path.join(folder, "vote.cairn")
    for rule, soft in (("plurality", False), ("probabilities", True)):
        peer = VotingClassifier(members, voting="soft" if soft else "hard").fit(x[train], y[train])
        cairn(build, "fit", "vote", os.path.join(folder, "train.csv"), "--target", "y", *specs, "--vote", rule, "--save", file)
        out = pd.read_csv(io.StringIO(
            cairn(build, "predict", file, os.path.join(folder, "test.csv"), "--output", "class,scores", text=True)))
        same("%s, vote by %s: classes" % (name, rule), (out["y"].values != peer.predict(x[test])) * 1.0, 0)
        if soft:
            same("%s, vote by %s: shares" % (name, rule), out[["p(%s)" % c for c in peer.classes_]].values, peer.predict_proba(x[test]))


def bagging(build, folder, name, train, test, x, y, classes, seeds):
    ours, theirs, left, other = [], [], [], []
    base = TREE if classes else "tree:preset=full,tie=random"
    model = BaggingClassifier if classes else BaggingRegressor
    tree = DecisionTreeClassifier() if classes else DecisionTreeRegressor()
    file = os.path.join(folder, "bagging.cairn")
    for seed in range(1, seeds + 1):
        v = cairn(build, "fit", "bagging", os.path.join(folder, "train.csv"), "--target", "y", "--task",
                  "classify" if classes else "regress", "--learner", base, "--members", "100", "--seed",
                  str(seed), "--save", file)
        ours.append(v["oob.error"])
        e = cairn(build, "evaluate", file, os.path.join(folder, "test.csv"))
        left.append(1 - e["accuracy"] if classes else e["mse"])
        peer = model(tree, n_estimators=100, oob_score=True, random_state=seed).fit(x[train], y[train])
        if classes:
            theirs.append(1 - peer.oob_score_)
            other.append(1 - peer.score(x[test], y[test]))
        else:
            theirs.append(float(((peer.oob_prediction_ - y[train]) ** 2).mean()))
            other.append(float(((peer.predict(x[test]) - y[test]) ** 2).mean()))
    compare("%s, bagging: out-of-bag" % name, ours, theirs)
    compare("%s, bagging: held out" % name, left, other)


def stacking(build, folder, name, train, test, x, y, seeds):
    ours, theirs = [], []
    file = os.path.join(folder, "stack.cairn")
    for seed in range(1, seeds + 1):
        cairn(build, "fit", "stack", os.path.join(folder, "train.csv"), "--target", "y", "--learner",
              "knn:k=15", "--learner", TREE, "--learner", "gaussian:covariance=diagonal", "--seed", str(seed),
              "--save", file)
        ours.append(1 - cairn(build, "evaluate", file, os.path.join(folder, "test.csv"))["accuracy"])
        peer = StackingClassifier([("a", nearest(15)), ("b", DecisionTreeClassifier(random_state=seed)),
                                   ("c", GaussianNB())], LogisticRegression(max_iter=1000), cv=5)
        order = np.random.RandomState(seed).permutation(train)
        theirs.append(1 - peer.fit(x[order], y[order]).score(x[test], y[test]))
    compare("%s, stacking: held out" % name, ours, theirs)


options = argparse.ArgumentParser()
options.add_argument("--build", default="build")
options.add_argument("--seeds", type=int, default=8)
given = options.parse_args()
for title, load, of_classes in (("breast cancer", load_breast_cancer, True), ("wine", load_wine, True),
                                ("diabetes", load_diabetes, False)):
    data = load()
    features, target = data.data, data.target
    target = np.array(["c%d" % t for t in target]) if of_classes else target
    places = np.random.RandomState(7).permutation(len(target))
    third = len(target) // 3
    with tempfile.TemporaryDirectory() as where:
        write(where, "train.csv", features[places[third:]], target[places[third:]])
        write(where, "test.csv", features[places[:third]], target[places[:third]])
        parts = (places[third:], places[:third], features, target)
        if of_classes:
            votes(given.build, where, title, *parts)
            stacking(given.build, where, title, *parts, given.seeds)
        bagging(given.build, where, title, *parts, of_classes, given.seeds)
if failed:
    sys.exit("apart: " + "; ".join(failed))

# SPDX-License-Identifier: MIT
"""Data that are awkward for their method, and the peers on them.

    awkward.py make NAME DIR    NAME.npy and NAME-test.npy, the target last
    awkward.py fit NAME DIR     one line of JSON: the seconds of the fit, and how good it is on the test rows
"""
import json
import os
import sys
import time

import numpy as np

SIZES = {"tied": (200000, 50), "softmax": (100000, 50), "wide": (1000, 20000), "thin": (100000, 30),
         "discriminant": (20000, 2000), "dense": (50000, 10), "separable": (100000, 20)}


def make(name, scale=1.0):
    """Rows of a data set and as many tenths more to test on: features, and the target or None."""
    random = np.random.default_rng(7)
    n, p = SIZES[name]
    n = int(n * scale * 1.1)
    if name == "tied":  # columns that hardly differ: condition 2,600
        x = random.normal(size=(n, 1)) + 0.0027 * random.normal(size=(n, p))
        return x, x @ random.normal(size=p) + random.normal(size=n)
    if name == "softmax":  # twenty classes, skewed columns
        x = random.gamma(2, size=(n, p)) - 2
        return x, (x @ random.normal(size=(p, 20)) * 0.3 + random.gumbel(size=(n, 20))).argmax(axis=1)
    if name == "wide":
        x = random.normal(size=(n, p))
        return x, x[:, :30] @ random.normal(size=30) + 2 * random.normal(size=n)
    if name == "thin":  # near four dimensions
        z = random.normal(size=(n, 4))
        return np.tanh(z @ random.normal(size=(4, p))) + 0.01 * random.normal(size=(n, p)), z[:, 0]
    if name == "discriminant":
        y = random.integers(0, 5, n)
        return random.normal(size=(n, p)) + 0.1 * random.normal(size=(5, p))[y], y
    if name == "separable":  # two classes that a plane tells apart, in units from 0.001 to 10,000
        x = random.normal(size=(n, p))
        y = x @ random.normal(size=p)
        x += np.sign(y)[:, None] * 0.05 * random.normal(size=p)
        return x * 10.0 ** random.integers(-3, 5, p), (y > 0).astype(int)
    centres, part = 6 * random.normal(size=(20, p)), random.integers(0, 20, n)
    return centres[part] + random.normal(size=(n, p)) * random.uniform(0.5, 2, 20)[part, None], None


def save(name, folder, scale=1.0):
    x, y = make(name, scale)
    table = x if y is None else np.column_stack([x, y])
    rows = int(len(table) / 1.1)
    np.save(os.path.join(folder, name + ".npy"), table[:rows])
    np.save(os.path.join(folder, name + "-test.npy"), table[rows:])


def model_of(name):
    if name == "tied":
        from sklearn.linear_model import Ridge
        return Ridge(alpha=1e-9, solver="cholesky")
    if name == "softmax":
        from sklearn.linear_model import LogisticRegression
        return LogisticRegression(penalty="none", max_iter=1000)
    if name == "separable":
        from sklearn.svm import LinearSVC
        return LinearSVC(dual=False)
    if name == "wide":
        from sklearn.linear_model import Lasso
        return Lasso(alpha=0.1)
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    return LinearDiscriminantAnalysis(solver="lsqr")


def fit(name, folder):
    train, test = (np.load(os.path.join(folder, name + end)) for end in (".npy", "-test.npy"))
    x, y = np.ascontiguousarray(train[:, :-1]), train[:, -1]
    if name == "thin":
        from scipy.spatial import cKDTree
        begin = time.perf_counter()
        found = cKDTree(x).query(test[:, :-1], 5, workers=2)[1]
        seconds = time.perf_counter() - begin
        error = np.sqrt(((y[found].mean(axis=1) - test[:, -1]) ** 2).mean())
        return seconds, "RMSE %.4f on other rows" % error
    model = model_of(name)
    begin = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - begin
    return seconds, "%.4f on other rows" % model.score(test[:, :-1], test[:, -1])


if __name__ == "__main__":
    if sys.argv[1] == "make":
        save(*sys.argv[2:4], *(float(s) for s in sys.argv[4:]))
    else:
        seconds, quality = fit(*sys.argv[2:4])
        print(json.dumps({"seconds": seconds, "quality": quality}))

# SPDX-License-Identifier: MIT
"""LogisticRegression (lbfgs) of scikit-learn: `dense TABLE.npy`, class last and no penalty to speak
of, or `text TRAIN.libsvm TEST.libsvm` with C = 10. Prints the objective that both sides minimise, a
sum over the rows."""
import json
import sys
import time
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression


def read(path, n_columns=None):
    """Rows of whole numbers of classes and ascending items."""
    labels, starts, items, values = [], [0], [], []
    with open(path) as file:
        for line in file:
            words = line.split()
            labels.append(int(words[0]))
            for word in words[1:]:
                item, value = word.split(":")
                items.append(int(item) - 1)
                values.append(float(value))
            starts.append(len(items))
    shape = (len(labels), n_columns or max(items) + 1)
    return csr_matrix((values, items, starts), shape), np.array(labels)


def losses(model, x, y):
    scores = x @ model.coef_.T + model.intercept_
    if len(model.classes_) == 2:
        scores = np.column_stack([np.zeros(len(y)), scores])
    top = scores.max(axis=1)
    rest = np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top
    return (rest - scores[np.arange(len(y)), np.searchsorted(model.classes_, y)]).sum()


if sys.argv[1] == "dense":
    table = np.load(sys.argv[2])
    x, y, strength = np.ascontiguousarray(table[:, :-1]), table[:, -1], 1e-10
else:
    x, y = read(sys.argv[2])
    strength = 0.1
begin = time.perf_counter()
model = LogisticRegression(C=1 / strength, max_iter=1000).fit(x, y)
seconds = time.perf_counter() - begin
objective = losses(model, x, y) + strength * (model.coef_ ** 2).sum() / 2
quality = "objective %.4f" % objective
if sys.argv[1] == "text":
    asked, truth = read(sys.argv[3], x.shape[1])
    quality += ", test accuracy %.4f" % model.score(asked, truth)
print(json.dumps({"seconds": seconds, "quality": quality}))

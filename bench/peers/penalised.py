# SPDX-License-Identifier: MIT
"""lasso, net or ridge of a matrix whose last column is the target."""
import json
import sys
import time
import numpy as np
from sklearn.linear_model import ElasticNetCV, RidgeCV, lasso_path

how, path = sys.argv[1:3]
table = np.load(path)
x, y = np.ascontiguousarray(table[:, :-1]), np.ascontiguousarray(table[:, -1])
del table
begin = time.perf_counter()
if how == "lasso":
    x = x - x.mean(axis=0)
    y = y - y.mean()
    _, paths, _ = lasso_path(x, y, n_alphas=100, eps=1e-4, tol=1e-9, max_iter=100000)
    seconds = time.perf_counter() - begin
    rest = y - x @ paths[:, 49]
    quality = "50th strength: %d other than 0, squared errors %.3f" % ((paths[:, 49] != 0).sum(), rest @ rest)
elif how == "net":
    model = ElasticNetCV(l1_ratio=0.5, n_alphas=100, eps=1e-4, cv=10, n_jobs=2).fit(x, y)
    seconds = time.perf_counter() - begin
    quality = "held-out %.6f, %d other than 0" % (model.mse_path_.mean(axis=1).min(), (model.coef_ != 0).sum())
else:
    model = RidgeCV(alphas=np.geomspace(1e6, 1e-2, 50)).fit(x, y)
    seconds = time.perf_counter() - begin
    quality = "lambda %.6g, held-out %.6f" % (model.alpha_, -model.best_score_)
print(json.dumps({"seconds": seconds, "quality": quality}))

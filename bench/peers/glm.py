# SPDX-License-Identifier: MIT
"""Poisson regression by scikit-learn of a matrix whose last column is the target."""
import json
import sys
import time
import numpy as np
from sklearn.linear_model import PoissonRegressor

table = np.load(sys.argv[1])
x, y = np.ascontiguousarray(table[:, :-1]), table[:, -1].copy()
begin = time.perf_counter()
model = PoissonRegressor(alpha=0, tol=1e-8, max_iter=1000).fit(x, y)
seconds = time.perf_counter() - begin
mean = model.predict(x)
deviance = 2 * np.sum(np.where(y > 0, y * np.log(np.maximum(y, 1) / mean), 0) - (y - mean))
print(json.dumps({"seconds": seconds, "quality": "deviance %.4f" % deviance}))

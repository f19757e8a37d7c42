# SPDX-License-Identifier: MIT
import json
import sys
import time
import warnings
import numpy as np
from sklearn.mixture import GaussianMixture

warnings.simplefilter("ignore")
x, form, k = np.load(sys.argv[1]), sys.argv[2], 10
means = np.array([[(7 * c + 3 * j) % 10 - 4.5 for j in range(x.shape[1])] for c in range(k)])
precisions = np.array([1 / x.var(axis=0)] * k)
if form == "full":
    precisions = np.array([np.diag(p) for p in precisions])
model = GaussianMixture(k, covariance_type=form, reg_covar=0, tol=0, max_iter=20, means_init=means,
                        precisions_init=precisions, weights_init=np.full(k, 1 / k))
begin = time.perf_counter()
model.fit(x)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "log-likelihood %.12g" % (model.score(x) * len(x))}))

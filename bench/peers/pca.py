# SPDX-License-Identifier: MIT
import gzip
import json
import sys
import time
import numpy as np

how, path = sys.argv[1:3]
with gzip.open(path) as file:
    x = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784).astype(np.float64)
if how == "sklearn":
    from sklearn.decomposition import PCA
    begin = time.perf_counter()
    share = PCA(n_components=50).fit(x).explained_variance_ratio_.sum()
else:
    begin = time.perf_counter()
    mean = x.mean(axis=0)
    covariance = (x.T @ x - len(x) * np.outer(mean, mean)) / (len(x) - 1)
    values, vectors = np.linalg.eigh(covariance)
    components = vectors[:, :-51:-1].T
    share = values[:-51:-1].sum() / values.sum()
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "explained %.6f" % share}))

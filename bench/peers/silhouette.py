# SPDX-License-Identifier: MIT
"""silhouette_samples of scikit-learn: a matrix whose last column is the cluster. Prints the mean."""
import json
import sys
import time
import numpy as np
from sklearn.metrics import silhouette_samples

table = np.load(sys.argv[1])
x, clusters = np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(int)
begin = time.perf_counter()
values = silhouette_samples(x, clusters)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "mean %.9f" % values.mean()}))

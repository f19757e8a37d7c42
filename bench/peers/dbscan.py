# SPDX-License-Identifier: MIT
import json
import sys
import time
import numpy as np
from sklearn.cluster import DBSCAN

x = np.load(sys.argv[1])
model = DBSCAN(eps=0.15, min_samples=10, n_jobs=2)
begin = time.perf_counter()
model.fit(x)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "%d clusters, %d rows of noise" % (
    model.labels_.max() + 1, np.sum(model.labels_ < 0))}))

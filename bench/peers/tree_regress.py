# SPDX-License-Identifier: MIT
import json
import sys
import time
import numpy as np
from sklearn.tree import DecisionTreeRegressor

table = np.load(sys.argv[1])[:800000]
x, y = table[:, :-1].astype(np.float32), np.ascontiguousarray(table[:, -1])
model = DecisionTreeRegressor(min_samples_leaf=5, random_state=1)
begin = time.perf_counter()
model.fit(x, y)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "%d leaves" % model.get_n_leaves()}))

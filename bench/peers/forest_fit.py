# SPDX-License-Identifier: MIT
import json
import pickle
import sys
import time
import numpy as np
from sklearn.ensemble import RandomForestClassifier

table = np.load(sys.argv[1])
train = table[:500000]
x, y = train[:, :-1].astype(np.float32), train[:, -1].astype(int)
model = RandomForestClassifier(n_estimators=100, max_features=7, n_jobs=2, random_state=1)
begin = time.perf_counter()
model.fit(x, y)
seconds = time.perf_counter() - begin
leaves = sum(tree.get_n_leaves() for tree in model.estimators_)
with open(sys.argv[2], "wb") as out:
    pickle.dump(model, out)
    size = out.tell()
print(json.dumps({"seconds": seconds, "quality": "%d leaves, model %.0f MB" % (leaves, size / 1e6)}))

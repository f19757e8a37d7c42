# SPDX-License-Identifier: MIT
"""extra_trees.py DATA.npy regress|classify TREES: the last column is the target."""
import json
import sys
import time
import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

data = np.load(sys.argv[1])
x, y = data[:, :-1].astype(np.float32), data[:, -1]
del data
regress = sys.argv[2] == "regress"
learner = ExtraTreesRegressor if regress else ExtraTreesClassifier
model = learner(int(sys.argv[3]), n_jobs=2, random_state=1)
begin = time.perf_counter()
model.fit(x, y if regress else y.astype(int))
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "%d leaves" % sum(
    tree.tree_.n_leaves for tree in model.estimators_)}))

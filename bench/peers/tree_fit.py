# SPDX-License-Identifier: MIT
import json
import pickle
import sys
import time
import numpy as np
from sklearn.tree import DecisionTreeClassifier

table = np.load(sys.argv[1])
train = table[:500000]
x, y = train[:, :-1].astype(np.float32), train[:, -1].astype(int)
model = DecisionTreeClassifier(random_state=1)
begin = time.perf_counter()
model.fit(x, y)
seconds = time.perf_counter() - begin
with open(sys.argv[2], "wb") as out:
    pickle.dump(model, out)
print(json.dumps({"seconds": seconds, "quality": "%d leaves" % model.get_n_leaves()}))

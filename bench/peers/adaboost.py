# SPDX-License-Identifier: MIT
import json
import sys
import time
import warnings
import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

table = np.load(sys.argv[1])
rounds = int(sys.argv[2])
train = table[:500000]
x, y = train[:, :-1].astype(np.float32), train[:, -1].astype(int)
warnings.simplefilter("ignore")
model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=rounds,
                           algorithm="SAMME", random_state=1)
begin = time.perf_counter()
model.fit(x, y)
seconds = time.perf_counter() - begin
wrong = np.mean(model.predict(x) != y)
print(json.dumps({"seconds": seconds, "quality": "%d rounds, training error %.4f" %
                  (len(model.estimators_), wrong)}))

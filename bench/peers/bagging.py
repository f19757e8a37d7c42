# SPDX-License-Identifier: MIT
import json
import sys
import time
import numpy as np
from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

table = np.load(sys.argv[1])
train, test = table[:100000], table[500000:]
x, y = train[:, :-1].astype(np.float32), train[:, -1].astype(int)
model = BaggingClassifier(DecisionTreeClassifier(), n_estimators=50, n_jobs=2, random_state=1)
begin = time.perf_counter()
model.fit(x, y)
seconds = time.perf_counter() - begin
said = model.predict(test[:, :-1].astype(np.float32))
accuracy = float((said == test[:, -1].astype(int)).mean())
print(json.dumps({"seconds": seconds, "quality": "accuracy %.4f" % accuracy}))

# SPDX-License-Identifier: MIT
"""The seconds of one row of a model, asked row by row: one_row.py WHAT TABLE.npy"""
import json
import sys
import time
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

ROWS = 300
MODELS = {"tree": lambda: DecisionTreeClassifier(max_depth=10, random_state=1),
          "logistic": lambda: LogisticRegression(max_iter=200),
          "forest": lambda: RandomForestClassifier(100, max_depth=10, n_jobs=1, random_state=1)}

table = np.load(sys.argv[2])[:20000]
x, y = np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(int)
model = MODELS[sys.argv[1]]().fit(x, y)
best = float("inf")
for _ in range(3):
    begin = time.thread_time()  # as bench/rows.c: what else the machine does is not counted
    for i in range(ROWS):
        model.predict(x[i:i + 1])
    best = min(best, (time.thread_time() - begin) / ROWS)
print(json.dumps({"seconds": best, "quality": "%.0f ns" % (1e9 * best)}))

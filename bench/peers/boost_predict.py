# SPDX-License-Identifier: MIT
"""Boosted trees asked: `xgboost|sklearn MODEL TABLE.npy ROWS`."""
import json
import pickle
import sys
import time
import numpy as np

table = np.load(sys.argv[3])[:int(sys.argv[4])]
x, y = table[:, :-1].astype(np.float32), table[:, -1].astype(int)
y = np.searchsorted(np.unique(y), y)
if sys.argv[1] == "xgboost":
    import xgboost
    model = xgboost.Booster({"nthread": 2}, model_file=sys.argv[2] + ".json")
    begin = time.perf_counter()
    said = model.predict(xgboost.DMatrix(x, nthread=2)) > 0.5
else:
    with open(sys.argv[2], "rb") as file:
        model = pickle.load(file)
    begin = time.perf_counter()
    said = model.predict(x)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "accuracy %.4f" % float((said == y).mean())}))

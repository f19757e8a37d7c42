# SPDX-License-Identifier: MIT
"""Contributions of columns to boosted trees: `MODEL TABLE ROWS [OUT.csv]`; the table is .npy or .csv
with the class last, and the model is the one that boost.py left."""
import json
import sys
import time
import numpy as np
import xgboost

if sys.argv[2].endswith(".csv"):
    import pandas as pd
    table = pd.read_csv(sys.argv[2]).to_numpy()
else:
    table = np.load(sys.argv[2])
x = table[:int(sys.argv[3]), :-1].astype(np.float32)
model = xgboost.Booster({"nthread": 2}, model_file=sys.argv[1] + ".json")
begin = time.perf_counter()
values = model.predict(xgboost.DMatrix(x, nthread=2), pred_contribs=True)
seconds = time.perf_counter() - begin
if len(sys.argv) > 4:
    pd.DataFrame(values).to_csv(sys.argv[4], index=False)
print(json.dumps({"seconds": seconds, "quality": "base of the first row %.5f" % values[0, -1]}))

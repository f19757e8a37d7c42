# SPDX-License-Identifier: MIT
"""Gradient boosting: `xgboost|sklearn TABLE.npy MODEL ROUNDS [ROWS]`, class last, or `levels
TABLE.csv MODEL ROUNDS` with all columns as categories, or `bags TABLE.libsvm MODEL ROUNDS`, which is
xgboost on a sparse matrix. Prints the mean log loss of the training
rows. The time of xgboost has that of its own table in it, which is where it makes its bins."""
import json
import pickle
import sys
import time
import numpy as np

side, path, out, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
if side == "levels":
    import pandas as pd
    frame = pd.read_csv(path, dtype=str)
    y = frame.pop("class").astype("category").cat.codes.to_numpy()
    x = frame.apply(lambda column: column.astype("category").cat.codes).to_numpy(np.float32)
elif side == "bags":
    from sklearn.datasets import load_svmlight_file
    x, y = load_svmlight_file(path, dtype=np.float32)
else:
    table = np.load(path)
    if len(sys.argv) > 5:
        table = table[:int(sys.argv[5])]
    x, y = table[:, :-1].astype(np.float32), table[:, -1].astype(int)
y = np.searchsorted(np.unique(y), y)
n_classes = int(y.max()) + 1
if side in ("xgboost", "bags"):
    import xgboost
    settings = {"tree_method": "hist", "grow_policy": "lossguide", "max_leaves": 31, "max_depth": 0,
                "max_bin": 255, "eta": 0.1, "nthread": 2, "objective": "binary:logistic"}
    if n_classes > 2:
        settings.update(objective="multi:softprob", num_class=n_classes)
    begin = time.perf_counter()
    data = xgboost.DMatrix(x, label=y, nthread=2)
    model = xgboost.train(settings, data, rounds)
    seconds = time.perf_counter() - begin
    p = model.predict(data)
    p = np.column_stack([1 - p, p]) if p.ndim == 1 else p
    model.save_model(out + ".json")
else:
    from sklearn.ensemble import HistGradientBoostingClassifier
    model = HistGradientBoostingClassifier(
        max_iter=rounds, max_leaf_nodes=31, max_bins=255, learning_rate=0.1, early_stopping=False,
        categorical_features=list(range(x.shape[1])) if side == "levels" else None)
    begin = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - begin
    p = model.predict_proba(x)
    with open(out, "wb") as file:
        pickle.dump(model, file)
loss = -np.log(np.maximum(p[np.arange(len(y)), y], 1e-15)).mean()
print(json.dumps({"seconds": seconds, "quality": "training loss %.5f" % loss}))

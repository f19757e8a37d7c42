# SPDX-License-Identifier: MIT
"""Impute, standardise and 1-of-K coding of the adult data by a ColumnTransformer, and whether a CSV
file made by Cairn holds the same numbers."""
import io
import json
import subprocess
import sys
import time
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

TARGET = "income"


def read(path):
    if path.endswith(".zst"):
        path = io.BytesIO(subprocess.run(["zstd", "-dc", path], stdout=subprocess.PIPE,
                                         check=True).stdout)
    return pd.read_csv(path, na_values=["?"], skipinitialspace=True)


table = read(sys.argv[1]).drop(columns=TARGET)
numbers = [c for c in table if table[c].dtype.kind in "if"]
levels = [c for c in table if c not in numbers]
begin = time.perf_counter()
transformer = ColumnTransformer([
    ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), numbers),
    ("levels", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), levels)])
made = transformer.fit_transform(table)
seconds = time.perf_counter() - begin
quality = "%d rows, %d columns" % made.shape
if len(sys.argv) > 2:
    ours = pd.read_csv(sys.argv[2])
    coder = transformer.named_transformers_["levels"][-1]
    names = numbers + ["%s=%s" % (c, v) for c, vs in zip(levels, coder.categories_) for v in vs]
    made = made.toarray() if hasattr(made, "toarray") else made
    if set(names) != set(ours.columns) - {TARGET}:
        sys.exit("the columns differ: %s" % sorted(set(names) ^ (set(ours.columns) - {TARGET})))
    gap = np.abs(ours[names].to_numpy(float) - made).max()
    if not gap <= 1e-9:
        sys.exit("the numbers differ by %g" % gap)
    quality += ", same numbers"
print(json.dumps({"seconds": seconds, "quality": quality}))

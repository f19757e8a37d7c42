# SPDX-License-Identifier: MIT
"""Naive Bayes of scikit-learn: `fit TABLE.npy` and `predict TABLE.npy` time GaussianNB on the first
500,000 rows; `text FILE` times CountVectorizer and MultinomialNB from texts to predictions."""
import json
import sys
import time

import numpy as np
from sklearn.naive_bayes import GaussianNB, MultinomialNB

what = sys.argv[1]
if what == "text":
    from sklearn.feature_extraction.text import CountVectorizer
    from texts import read_columns
    texts, groups = read_columns(sys.argv[2], "text", "group")
    groups = np.array(groups)
    begin = time.perf_counter()
    vectorizer, model = CountVectorizer(), MultinomialNB()
    model.fit(vectorizer.fit_transform(texts), groups)
    said = model.predict(vectorizer.transform(texts))
    seconds = time.perf_counter() - begin
    quality = "accuracy on the training rows %.6f" % np.mean(said == groups)
else:
    train = np.load(sys.argv[2])[:500000]
    x, y = np.ascontiguousarray(train[:, :-1]), train[:, -1].astype(int)
    model = GaussianNB()
    begin = time.perf_counter()
    model.fit(x, y)
    fitted = time.perf_counter()
    said = model.predict(x)
    predicted = time.perf_counter()
    seconds = fitted - begin if what == "fit" else predicted - fitted
    quality = "accuracy on the training rows %.6f" % np.mean(said == y)
print(json.dumps({"seconds": seconds, "quality": quality}))

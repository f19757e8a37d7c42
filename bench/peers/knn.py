# SPDX-License-Identifier: MIT
"""Five nearest neighbours: knn.py scikit-learn|scikit-learn-tree|scipy TRAIN QUERIES

Files are .npy (the last column is the target, a number) or images of the idx format, whose labels
lie beside them. Prints the seconds of building and asking, and how good the answers are."""
import gzip
import json
import sys
import time

import numpy as np

THREADS = 2


def read(name):
    if name.endswith(".npy"):
        table = np.load(name)
        return np.ascontiguousarray(table[:, :-1]), table[:, -1]
    images = np.frombuffer(gzip.open(name).read()[16:], np.uint8).reshape(-1, 784)
    labels = gzip.open(name.replace("images", "labels").replace("idx3", "idx1")).read()[8:]
    return images.astype(np.float32), np.frombuffer(labels, np.uint8)


def search(side, train, queries):
    if side == "scipy":
        from scipy.spatial import cKDTree
        return cKDTree(train).query(queries, 5, workers=THREADS)[1]
    if side == "scikit-learn-tree":
        from sklearn.neighbors import KDTree
        return KDTree(train).query(queries, 5)[1]
    from sklearn.neighbors import NearestNeighbors
    model = NearestNeighbors(n_neighbors=5, algorithm="brute", n_jobs=THREADS).fit(train)
    return model.kneighbors(queries)[1]


side, train_name, query_name = sys.argv[1:]
train, answers = read(train_name)
queries, truth = read(query_name)
if side == "scipy":  # loading is not part of the task
    import scipy.spatial
else:
    import sklearn.neighbors
begin = time.perf_counter()
near = search(side, train, queries)
seconds = time.perf_counter() - begin
if train_name.endswith(".npy"):
    said = answers[near].mean(axis=1)
    quality = "RMSE %.6f" % np.sqrt(np.mean((said - truth) ** 2))
else:
    votes = np.array([np.bincount(row, minlength=10) for row in answers[near]])
    tied = votes == votes.max(axis=1, keepdims=True)
    said = [next(answers[j] for j in near[i] if tied[i, answers[j]]) for i in range(len(near))]
    quality = "accuracy %.4f" % np.mean(np.array(said) == truth)
print(json.dumps({"seconds": seconds, "quality": quality}))

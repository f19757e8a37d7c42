# SPDX-License-Identifier: MIT
"""A network of 128 hidden nodes: mlp.py fit TRAIN TEST MODEL | predict TEST MODEL CSV

Images are of the idx format, their labels lie beside them; pixels are brought to [0, 1]. Prints the
seconds of fitting or predicting, and the accuracy on the test images."""
import gzip
import json
import pickle
import sys
import time
import warnings

import numpy as np
from sklearn.neural_network import MLPClassifier


def read(name):
    images = np.frombuffer(gzip.open(name).read()[16:], np.uint8).reshape(-1, 784)
    labels = gzip.open(name.replace("images", "labels").replace("idx3", "idx1")).read()[8:]
    return images.astype(np.float32) / np.float32(255), np.frombuffer(labels, np.uint8)


def fit(train_name, test_name, model_name):
    train, answers = read(train_name)
    test, truth = read(test_name)
    model = MLPClassifier((128,), activation="relu", solver="adam", learning_rate_init=0.001, batch_size=128,
                          max_iter=5, alpha=0, n_iter_no_change=1000, random_state=1)
    begin = time.perf_counter()
    model.fit(train, answers)
    seconds = time.perf_counter() - begin
    with open(model_name, "wb") as file:
        pickle.dump(model, file)
    return seconds, "accuracy %.4f" % model.score(test, truth)


def predict(test_name, model_name, csv_name):
    test, truth = read(test_name)
    with open(model_name, "rb") as file:
        model = pickle.load(file)
    begin = time.perf_counter()
    shares = model.predict_proba(test)
    said = model.classes_[shares.argmax(axis=1)]
    np.savetxt(csv_name, np.column_stack([said, shares]), delimiter=",", fmt=["%d"] + ["%.6g"] * shares.shape[1],
               header="predicted," + ",".join("p(%d)" % k for k in model.classes_), comments="")
    return time.perf_counter() - begin, "accuracy %.4f" % np.mean(said == truth)


warnings.simplefilter("ignore")  # five epochs are all that is wanted
seconds, quality = {"fit": fit, "predict": predict}[sys.argv[1]](*sys.argv[2:])
print(json.dumps({"seconds": seconds, "quality": quality}))

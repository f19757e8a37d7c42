# SPDX-License-Identifier: MIT
"""Support vector machines by libsvm, liblinear and scikit-learn, and the files that both sides read.

Usage: svm.py make-a9a TRAIN.zst TEST.zst FOLDER | make-images TRAIN TEST FOLDER | make-housing CSV FOLDER
       svm.py libsvm-fit|libsvm-predict|svc-fit|svc-predict FOLDER | images-fit|images-predict FOLDER
       svm.py housing-fit FOLDER | linear TRAIN TEST"""
import gzip
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time

import numpy as np

GAMMA = 1 / 123


def timed(function):
    begin = time.perf_counter()
    answer = function()
    return answer, time.perf_counter() - begin


def say(seconds, quality):
    print(json.dumps({"seconds": seconds, "quality": quality}))


def kept(path, make):
    """What `make` gives, made once and kept in a file."""
    if not os.path.exists(path):
        with open(path, "wb") as file:
            pickle.dump(make(), file)
    with open(path, "rb") as file:
        return pickle.load(file)


def make_a9a(train, test, folder):
    for source, name in (train, "a9a.libsvm"), (test, "a9a-test.libsvm"):
        with open(os.path.join(folder, name), "wb") as out:
            subprocess.run(["zstd", "-dcq", source], stdout=out, check=True)


def make_images(train, test, folder):
    """The first 10,000 images of each, pixels / 255, and the class behind them."""
    for source, name in (train, "images.npy"), (test, "images-test.npy"):
        labels = source.replace("images-idx3", "labels-idx1")
        x = np.frombuffer(gzip.open(source).read(), np.uint8, offset=16).reshape(-1, 784)[:10000]
        y = np.frombuffer(gzip.open(labels).read(), np.uint8, offset=8)[:10000]
        np.save(os.path.join(folder, name), np.c_[x / 255.0, y])


def make_housing(source, folder):
    """Number columns of rows without missing cells, standardised; the value in 100,000."""
    with open(source) as lines:
        head = next(lines).strip().split(",")
        rows = [line.strip().split(",") for line in lines]
    columns = [j for j, name in enumerate(head) if name not in ("ocean_proximity", "median_house_value")]
    rows = [r for r in rows if all(r[j] for j in columns)]
    x = np.array([[float(r[j]) for j in columns] for r in rows])
    y = np.array([float(r[head.index("median_house_value")]) for r in rows]) / 1e5
    np.save(os.path.join(folder, "housing.npy"), np.c_[(x - x.mean(0)) / x.std(0), y])


def libsvm_fit(folder):
    command = ["svm-train", "-c", "1", "-g", repr(GAMMA), os.path.join(folder, "a9a.libsvm"),
               os.path.join(folder, "a9a.model")]
    done, seconds = timed(lambda: subprocess.run(command, check=True, capture_output=True, text=True))
    words = done.stdout.replace(",", " ").split()
    objective = words[words.index("obj") + 2]
    say(seconds, "dual %.3f, %s vectors" % (-float(objective), words[words.index("nSV") + 2]))


def libsvm_predict(folder):
    said = os.path.join(folder, "a9a.said")
    command = ["svm-predict", os.path.join(folder, "a9a-test.libsvm"), os.path.join(folder, "a9a.model"), said]
    done, seconds = timed(lambda: subprocess.run(command, check=True, capture_output=True, text=True))
    say(seconds, "test " + done.stdout.split("(")[0].strip().lower())


def a9a(folder, name):
    from sklearn.datasets import load_svmlight_file
    x, y = load_svmlight_file(os.path.join(folder, name), n_features=123)
    return x.toarray(), y


def svc_fit(folder):
    from sklearn.svm import SVC
    x, y = a9a(folder, "a9a.libsvm")
    model, seconds = timed(lambda: SVC(C=1, gamma=GAMMA).fit(x, y))
    say(seconds, "%d vectors" % len(model.support_))


def svc_predict(folder):
    from sklearn.svm import SVC
    x, y = a9a(folder, "a9a.libsvm")
    z, truth = a9a(folder, "a9a-test.libsvm")
    model = kept(os.path.join(folder, "a9a.pickle"), lambda: SVC(C=1, gamma=GAMMA).fit(x, y))
    said, seconds = timed(lambda: model.predict(z))
    say(seconds, "test accuracy %.4f" % np.mean(said == truth))


def images(folder, name):
    rows = np.load(os.path.join(folder, name))
    return rows[:, :-1], rows[:, -1]


def images_fit(folder):
    from sklearn.svm import SVC
    x, y = images(folder, "images.npy")
    model, seconds = timed(lambda: SVC(C=5, gamma=0.02).fit(x, y))
    say(seconds, "%d vectors" % len(model.support_))


def images_predict(folder):
    from sklearn.svm import SVC
    x, y = images(folder, "images.npy")
    z, truth = images(folder, "images-test.npy")
    model = kept(os.path.join(folder, "images.pickle"), lambda: SVC(C=5, gamma=0.02).fit(x, y))
    said, seconds = timed(lambda: model.predict(z))
    say(seconds, "test accuracy %.4f" % np.mean(said == truth))


def housing_fit(folder):
    from sklearn.svm import SVR
    x, y = images(folder, "housing.npy")
    model, seconds = timed(lambda: SVR(C=1, epsilon=0.1, gamma=1 / 8).fit(x, y))
    say(seconds, "%d vectors, training mse %.4f" % (len(model.support_), np.mean((model.predict(x) - y) ** 2)))


def linear(train, test):
    """The whole process of liblinear-train -s 1, from file to model file."""
    with tempfile.TemporaryDirectory() as folder:
        model, said = os.path.join(folder, "model"), os.path.join(folder, "said")
        _, seconds = timed(lambda: subprocess.run(["liblinear-train", "-s", "1", "-q", train, model], check=True))
        done = subprocess.run(["liblinear-predict", test, model, said], check=True, capture_output=True, text=True)
    say(seconds, "test " + done.stdout.split("(")[0].strip().lower())


if __name__ == "__main__":
    globals()[sys.argv[1].replace("-", "_")](*sys.argv[2:])

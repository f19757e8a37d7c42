# SPDX-License-Identifier: MIT
"""The second tasks of linear models, neighbours and groups: columns that depend on each other, more
columns than rows, units far apart, many classes; quality on rows that were not learned from."""
import json
import os

from sides import HERE, PYTHON, Task, cairn, peer, run


def made(setup, name):
    path = os.path.join(setup.data, name)
    if not os.path.exists(path + "-test.npy"):
        run([PYTHON, os.path.join(HERE, "peers", "awkward.py"), "make", name, setup.data])
    return path


def ours(name, learner, columns, measure, *options):
    """Time of fitting, and the measure of the test rows."""
    def side(setup):
        path, model = made(setup, name), os.path.join(setup.data, name + ".cairn")
        command = ["fit", learner, path + ".npy", "--target", "column%d" % (columns + 1), "--save", model]
        seconds, memory, _ = cairn(command + list(options))(setup)
        text, _, _, _ = run([setup.cairn, "evaluate", model, path + "-test.npy", "--format", "json"])
        return seconds, memory, "%.4f on other rows" % json.loads(text)["values"][measure]
    return side


def neighbours(setup):
    path, model = made(setup, "thin"), os.path.join(setup.data, "thin.cairn")
    built, memory, _ = cairn(["fit", "knn", path + ".npy", "--target", "column31", "--k", "5", "--scale",
                              "none", "--save", model])(setup)
    asked, more, answer = cairn(["predict", model, path + "-test.npy"], "time.predict",
                                lambda v: "RMSE %.4f on other rows" % v["rmse"])(setup)
    return built + asked, max(memory, more), answer


def lasso(setup):
    path = made(setup, "wide")
    return cairn(["fit", "lasso", path + ".npy", "--target", "column20001", "--scale", "none", "--inner", "gcv"],
                 "time.fit", lambda v: "strength 50: %d other than 0" % v["path50.nonzero"])(setup)


def groups(setup):
    path = made(setup, "dense")
    return cairn(["fit", "hdbscan", path + ".npy", "--scale", "none"], "time.fit",
                 lambda v: "%d clusters" % v["clusters"])(setup)


def theirs(name):
    return peer("awkward.py", "fit", name, "DATA/")


CLASSIFY = ["--task", "classify", "--scale", "none"]
TASKS = [
    Task("awkward-tied", "least squares 200,000 x 50, condition 2,600", ours("tied", "linear", 50, "r2"),
         [("scikit-learn Ridge, Cholesky", 1.3, theirs("tied"))]),
    Task("awkward-softmax", "softmax without penalty 100,000 x 50, 20 classes, with standard errors",
         ours("softmax", "logistic", 50, "accuracy", *CLASSIFY),
         [("scikit-learn LogisticRegression lbfgs", 1.5, theirs("softmax"))], rounds=2),
    Task("awkward-wide", "lasso, path of 100 strengths, 1,000 x 20,000", lasso,
         [("R glmnet", 1.5, peer("awkward.R", "DATA/wide.npy"))], rounds=2),
    Task("awkward-thin", "5 neighbours among 100,000 x 30 near four dimensions, 10,000 queries", neighbours,
         [("scipy cKDTree", 1.5, theirs("thin"))]),
    Task("awkward-discriminant", "Fisher's discriminant 20,000 x 2,000, 5 classes",
         ours("discriminant", "discriminant", 2000, "accuracy", "--task", "classify"),
         [("scikit-learn LinearDiscriminantAnalysis lsqr", 1.5, theirs("discriminant"))], rounds=2),
    Task("awkward-separable", "linear SVM, squared loss, 100,000 x 20 separable, units from 0.001 to 10,000",
         ours("separable", "svm", 20, "accuracy", "--kernel", "linear", "--loss", "squared", *CLASSIFY),
         [("scikit-learn LinearSVC", 1.5, theirs("separable"))]),
    # R's dbscan keeps the distances of all pairs, ten gigabytes of them
    Task("awkward-dense", "HDBSCAN 50,000 x 10", groups, []),
]

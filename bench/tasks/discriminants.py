# SPDX-License-Identifier: MIT
"""Discriminants, and many classes from two."""
from sides import Task, cairn, peer

SHARED = ["fit", "gaussian", "DATA/normals.npy", "--target", "column55"]
OWN = SHARED + ["--covariance", "own"]


def accuracy(values):
    return "accuracy %.6f" % values["training.accuracy"]


def normals(name, title, command, time, what):
    """A task of normal classes against the class of scikit-learn that does the same."""
    return Task(name, title, cairn(command, time, accuracy),
                [("scikit-learn " + ("LinearDiscriminantAnalysis" if "lda" in what else "QuadraticDiscriminantAnalysis"),
                  5.0, peer("normals.py", *what.split(), "DATA/normals.npy"))])


TASKS = [
    normals("lda-normal", "LDA 500,000 x 54, 7 classes: fit", SHARED, "time.fit", "lda fit"),
    normals("lda-normal-predict", "LDA 500,000 x 54, 7 classes: predict", SHARED, "time.predict", "lda predict"),
    normals("qda", "QDA 500,000 x 54, 7 classes: fit", OWN, "time.fit", "qda fit"),
    normals("qda-predict", "QDA 500,000 x 54, 7 classes: predict", OWN, "time.predict", "qda predict"),
    Task("lda", "Fisher's discriminant, 800,000 x 50, two classes",
         cairn(["fit", "discriminant", "DATA/planes.npy", "--target", "column51"], "time.fit",
               lambda v: "accuracy %.6f" % v["training.accuracy"]),
         [("scikit-learn LinearDiscriminantAnalysis eigen", 5.0, peer("lda.py", "DATA/planes.npy"))]),
    Task("one-vs-one", "325 logistic models, one against one, letter 20,000 x 16",
         cairn(["fit", "one-vs-one", "LETTER", "--target", "letter", "--learner", "logistic:lambda=1", "--with",
                "scale:method=none"], "time.fit", lambda v: "accuracy %.4f" % v["training.accuracy"]),
         [("scikit-learn OneVsOneClassifier(LogisticRegression)", 10.0, peer("pairs.py", "LETTER"))],
         needs="LETTER"),
]

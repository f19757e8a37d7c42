# SPDX-License-Identifier: MIT
"""Discriminants, and many classes from two."""
from sides import Task, cairn, peer

TASKS = [
    Task("lda", "Fisher's discriminant, 800,000 x 50, two classes",
         cairn(["fit", "discriminant", "DATA/planes.npy", "--target", "column51"], "time.fit",
               lambda v: "accuracy %.6f" % v["training.accuracy"]),
         [("scikit-learn LinearDiscriminantAnalysis eigen", 5.0, peer("lda.py", "DATA/planes.npy"))]),
    Task("one-vs-one", "325 logistic models, one against one, letter 20,000 x 16",
         cairn(["fit", "one-vs-one", "LETTER", "--target", "letter", "--base", "logistic:strength=1", "--with",
                "scale:method=none"], "time.fit", lambda v: "accuracy %.4f" % v["training.accuracy"]),
         [("scikit-learn OneVsOneClassifier(LogisticRegression)", 10.0, peer("pairs.py", "LETTER"))],
         needs="LETTER"),
]

# SPDX-License-Identifier: MIT
"""Gradient boosting."""
from sides import Task, cairn, peer

BOOST = ["fit", "boost", "--task", "classify", "--target"]


def result(values):
    return "%d leaves, training loss %.5f" % (values["boost.leaves"], values["boost.loss.end"])


def accuracy(values):
    return "accuracy %.4f" % values["accuracy"]


TASKS = [
    Task("boost", "boosting 800,000 x 28, 2 classes, 100 rounds of 31 leaves, 255 bins",
         cairn(BOOST + ["class", "DATA/logit.csv", "--min-leaf", "20", "--save", "DATA/boost.cairn",
                        "--force"], "time.fit", result),
         [("xgboost hist", 1.5, peer("boost.py", "xgboost", "DATA/logit.npy", "DATA/boost.xgb", "100")),
          ("scikit-learn HistGradientBoosting", 2.0,
           peer("boost.py", "sklearn", "DATA/logit.npy", "DATA/boost.pickle", "100"))],
         rounds=3),
    Task("boost-predict", "boosting, predict 200,000 rows",
         cairn(["evaluate", "DATA/boost.cairn", "DATA/logit-200k.csv"], "time.predict", accuracy),
         [("xgboost hist", 2.0,
           peer("boost_predict.py", "xgboost", "DATA/boost.xgb", "DATA/logit.npy", "200000")),
          ("scikit-learn HistGradientBoosting", 2.0,
           peer("boost_predict.py", "sklearn", "DATA/boost.pickle", "DATA/logit.npy", "200000"))]),
    Task("boost-classes", "boosting 500,000 x 54, 7 classes, 30 rounds of 31 leaves",
         cairn(BOOST + ["class", "DATA/cover-train.csv", "--rounds", "30", "--min-leaf", "20"],
               "time.fit", result),
         [("xgboost hist", 2.0,
           peer("boost.py", "xgboost", "DATA/cover.npy", "DATA/boost7.xgb", "30", "500000")),
          ("scikit-learn HistGradientBoosting", 4.0,
           peer("boost.py", "sklearn", "DATA/cover.npy", "DATA/boost7.pickle", "30", "500000"))],
         rounds=3),
    Task("boost-levels", "boosting 500,000 x 30 level columns of up to 200 levels, 100 rounds",
         cairn(BOOST + ["class", "DATA/levels.csv", "--min-leaf", "20"], "time.fit", result),
         [("scikit-learn HistGradientBoosting, categorical_features", 2.0,
           peer("boost.py", "levels", "DATA/levels.csv", "DATA/boost-levels.pickle", "100"))],
         rounds=3),
    Task("boost-bags", "boosting 200,000 x 5,000 items, 30 of them in a row, 2 classes, 50 rounds of 31 leaves",
         cairn(["fit", "boost", "DATA/bags.libsvm", "--task", "classify", "--rounds", "50", "--min-leaf", "20"],
               "time.fit", result),
         [("xgboost hist, sparse matrix", 1.0,
           peer("boost.py", "bags", "DATA/bags.libsvm", "DATA/boost-bags.xgb", "50"))],
         rounds=3),
]

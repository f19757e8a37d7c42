# SPDX-License-Identifier: MIT
"""Reasons for answers."""
from sides import Task, cairn, cairn_process, peer, run

FOREST = ["fit", "forest", "DATA/logit-200k.csv", "--target", "class", "--task", "classify", "--trees",
          "100", "--max-leaves", "31", "--save", "DATA/shapley-forest.cairn", "--force", "--quiet"]


def base(values):
    return "base of the first row %.5f" % values["row1.base"]


def forest(setup):
    """Values of a forest of the same shape, which is grown before the clock runs."""
    run([setup.cairn] + [setup.path(a) for a in FOREST])
    return cairn(["compute", "shapley", "DATA/shapley-forest.cairn", "DATA/logit-1k.csv"],
                 "time.compute", base)(setup)


TASKS = [
    Task("shapley", "Shapley values of 1,000 rows, boosting, 100 trees of 31 leaves, 28 columns",
         cairn(["compute", "shapley", "DATA/boost.cairn", "DATA/logit-1k.csv"], "time.compute", base),
         [("xgboost pred_contribs", 2.0, peer("shapley.py", "DATA/boost.xgb", "DATA/logit.npy", "1000"))]),
    Task("shapley-forest", "the same of a forest",
         forest,
         [("xgboost pred_contribs", 2.0, peer("shapley.py", "DATA/boost.xgb", "DATA/logit.npy", "1000"))]),
    Task("shapley-process", "Shapley values of 1,000 rows, CSV to CSV, whole process",
         cairn_process(["compute", "shapley", "DATA/boost.cairn", "DATA/logit-1k.csv", "--out",
                        "DATA/shapley.csv"]),
         [("xgboost + pandas", 5.0,
           peer("shapley.py", "DATA/boost.xgb", "DATA/logit-1k.csv", "1000", "DATA/shapley-peer.csv",
                whole=True))]),
]

# SPDX-License-Identifier: MIT
"""Extremely randomised trees, and forests on levels beside ranger's two ways of taking them."""
from sides import Task, cairn, peer

CUTS = ["--cuts", "random", "--sample", "all"]


def leaves(values):
    return "%d leaves" % values["forest.leaves"]


def error(values):
    return "out-of-bag error %.4f" % values["oob.error"]


TASKS = [
    Task("extra-regress", "100 extremely randomised trees, regression 500,000 x 10",
         cairn(["fit", "forest", "DATA/extra-regress.npy", "--target", "column11", "--task", "regress", "--mtry", "10",
                "--min-leaf", "1", *CUTS], "time.fit", leaves),
         [("scikit-learn ExtraTreesRegressor", 2.0,
           peer("extra_trees.py", "DATA/extra-regress.npy", "regress", "100"))],
         rounds=1),
    Task("extra-wide", "100 extremely randomised trees, 5 classes, 20,000 x 2,000",
         cairn(["fit", "forest", "DATA/extra-wide.npy", "--target", "column2001", "--task", "classify", *CUTS],
               "time.fit", leaves),
         [("scikit-learn ExtraTreesClassifier", 2.0,
           peer("extra_trees.py", "DATA/extra-wide.npy", "classify", "100"))],
         rounds=1),
    Task("forest-levels", "forest of 100 trees on 20,000 x 30 columns of up to 200 levels",
         cairn(["fit", "forest", "DATA/levels-20k.csv", "--target", "class", "--trees", "100"],
               "time.fit", error),
         [("ranger, levels as they come", None, peer("forest_levels.R", "DATA/levels-20k.csv", "ignore")),
          ("ranger, levels ordered by all rows' classes, out-of-bag ones among them", None,
           peer("forest_levels.R", "DATA/levels-20k.csv", "order"))],
         rounds=1),
]

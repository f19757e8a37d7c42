# SPDX-License-Identifier: MIT
"""One row at a time: seconds of a row, on one thread."""
import json

from sides import Task, peer, run


def rows(learner, table, *more):
    """A model of 20,000 rows, asked by bench/rows.c about one row after the other."""
    def side(setup):
        source, sample = setup.path(table), setup.path("DATA/rows-sample.csv")
        model = setup.path("DATA/rows.cairn")
        run([setup.cairn, "convert", source, sample, "--where", "row() <= 20000", "--quiet"])
        target = open(sample).readline().strip().split(",")[-1]
        run([setup.cairn, "fit", learner, sample, "--target", target, "--task", "classify", *more,
             "--save", model, "--quiet"])
        text, _, _, memory = run([setup.path("DATA/rows"), model, sample])
        answer = json.loads(text)
        return answer["seconds"], memory, answer["quality"]
    return side


TASKS = [
    Task("rows-tree", "one row, tree of depth 10 on 54 columns",
         rows("tree", "DATA/cover.npy", "--max-depth", "10"),
         [("scikit-learn DecisionTreeClassifier", 500.0, peer("one_row.py", "tree", "DATA/cover.npy"))]),
    Task("rows-logistic", "one row, logistic regression on 28 columns",
         rows("logistic", "DATA/logit.npy"),
         [("scikit-learn LogisticRegression", 500.0, peer("one_row.py", "logistic", "DATA/logit.npy"))]),
    Task("rows-forest", "one row, forest of 100 trees of depth 10 on 54 columns",
         rows("forest", "DATA/cover.npy", "--trees", "100", "--max-depth", "10"),
         [("scikit-learn RandomForestClassifier", 500.0, peer("one_row.py", "forest", "DATA/cover.npy"))]),
]

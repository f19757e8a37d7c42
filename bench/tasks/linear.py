# SPDX-License-Identifier: MIT
"""Linear and logistic regression."""
import json

from sides import Task, cairn, cairn_process, make_text, peer, run


TEXT_FIT = ["fit", "logistic", "DATA/news.tfidf.libsvm", "--task", "classify", "--lambda", "0.1"]


def logistic_text(setup):
    """Softmax regression of the tf-idf matrix, its objective, and its accuracy on the test rows."""
    make_text(setup)
    model = setup.path("DATA/news.cairn")
    answer = cairn(TEXT_FIT + ["--save", model], "time.fit",
                   lambda v: "objective %.4f" % v["objective"])(setup)
    text, _, _, _ = run([setup.cairn, "evaluate", model, setup.path("DATA/news-test.tfidf.libsvm"),
                         "--format", "json"])
    accuracy = json.loads(text)["values"]["accuracy"]
    return answer[0], answer[1], answer[2] + ", test accuracy %.4f" % accuracy


def logistic_file(setup):
    """The same as a whole process, from file to model file."""
    make_text(setup)
    return cairn_process(TEXT_FIT + ["--save", "DATA/news.cairn"])(setup)


TASKS = [
    Task("ols", "least squares 1,000,000 x 50, full table of statistics",
         cairn(["fit", "linear", "DATA/reals.csv", "--target", "y"], "time.fit",
               lambda v: "R2 %.6f" % v["r2"]),
         [("numpy normal equations", 0.9, peer("least_squares.py", "normal", "DATA/reals.npy")),
          ("scikit-learn Ridge", 2.0, peer("least_squares.py", "ridge", "DATA/reals.npy"))]),
    Task("logistic-dense", "logistic regression 800,000 x 28, with standard errors",
         cairn(["fit", "logistic", "DATA/logit.csv", "--target", "class", "--task", "classify"],
               "time.fit", lambda v: "objective %.4f" % v["cross_entropy"]),
         [("scikit-learn LogisticRegression lbfgs", 3.0,
           peer("logistic.py", "dense", "DATA/logit.npy"))]),
    Task("logistic-text", "softmax regression of 11,314 x 56,436 tf-idf, 20 classes",
         logistic_text,
         [("scikit-learn LogisticRegression lbfgs", 8.0,
           peer("logistic.py", "text", "DATA/news.tfidf.libsvm", "DATA/news-test.tfidf.libsvm"))],
         needs="NEWS_TEST", rounds=2),
    Task("logistic-file", "the same from file to model file, whole process",
         logistic_file,
         [("liblinear -s 0, one against the rest", 1.2,
           peer("liblinear.py", "DATA/news.tfidf.libsvm", "DATA/news-test.tfidf.libsvm"))],
         needs="NEWS_TEST"),
]

# SPDX-License-Identifier: MIT
"""Naive Bayes and Bayesian networks."""
import json

from sides import THREADS, Task, cairn, peer, run, training_accuracy


GAUSS = ["fit", "bayes", "DATA/cover-train.csv", "--target", "class", "--add-variance", "1e-9"]


def bayes_text(setup):
    """From raw texts to predictions for them: fitting and predicting, vocabulary and all."""
    text, _, _, memory = run([setup.cairn, "fit", "bayes", setup.path("NEWS"), "--target", "group",
                              "--with", "bag", "--threads", THREADS, "--format", "json",
                              "--timings"])
    values = json.loads(text)["values"]
    return values["time.fit"] + values["time.predict"], memory, training_accuracy(values)


def arcs(values):
    return f"{values['arcs']:.0f} arcs, BIC {values['bic']:.1f}"


TASKS = [
    Task("bayes-gauss", "Gaussian naive Bayes 500,000 x 54, 7 classes",
         cairn(GAUSS, "time.fit", training_accuracy),
         [("scikit-learn GaussianNB", 5.0, peer("bayes.py", "fit", "DATA/cover.npy"))]),
    Task("bayes-gauss-predict", "Gaussian naive Bayes, predict 500,000 rows",
         cairn(GAUSS, "time.predict", training_accuracy),
         [("scikit-learn GaussianNB", 5.0, peer("bayes.py", "predict", "DATA/cover.npy"))]),
    Task("bayes-text", "multinomial naive Bayes from 11,314 raw texts to predictions, 20 classes",
         bayes_text,
         [("scikit-learn CountVectorizer and MultinomialNB", 4.0, peer("bayes.py", "text", "NEWS"))],
         needs="NEWS"),
    Task("net-tree", "Chow-Liu tree of 100,000 x 100 columns of 8 levels",
         cairn(["fit", "bayes-net", "DATA/leaves.csv", "--target", "v100", "--structure", "tree"],
               "time.fit", arcs), []),
    Task("net-climb", "Bayesian network by hill climbing, 20,000 x 30 columns of 4 levels",
         cairn(["fit", "bayes-net", "DATA/twigs.csv", "--target", "v30", "--structure", "climb"],
               "time.fit", arcs), []),
]

# SPDX-License-Identifier: MIT
"""Naive Bayes."""
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
]

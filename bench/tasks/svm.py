# SPDX-License-Identifier: MIT
"""Support vector machines."""
import json
import os

from sides import FASHION, FASHION_TEST, HERE, PYTHON, Task, cairn, cairn_process, make_text, peer, run

A9A = ["fit", "svm", "DATA/a9a.libsvm", "--task", "classify", "--kernel", "rbf", "--gamma", repr(1 / 123)]
IMAGES = ["fit", "svm", "DATA/images.npy", "--target", "column785", "--task", "classify", "--scale", "none",
          "--kernel", "rbf", "--gamma", "0.02", "--c", "5"]
HOUSING = ["fit", "svm", "DATA/housing.npy", "--target", "column9", "--task", "regress", "--scale", "none",
           "--kernel", "rbf", "--gamma", "0.125", "--epsilon", "0.1"]
LINEAR = ["fit", "svm", "DATA/news.tfidf.libsvm", "--task", "classify", "--kernel", "linear", "--loss", "squared",
          "--classes", "rest", "--tolerance", "0.1", "--save", "DATA/svm-news.cairn"]


def make(setup, last, *words):
    """Files that both sides read, made once."""
    if not os.path.exists(os.path.join(setup.data, last)):
        run([PYTHON, os.path.join(HERE, "peers", "svm.py")] + [setup.path(w) for w in words] + [setup.data])


def vectors(values):
    return "dual %.3f, %d vectors" % (values["dual"], values["vectors"])


def fitting(command, last, *words):
    def side(setup):
        make(setup, last, *words)
        return cairn(command, "time.fit", vectors)(setup)
    return side


def predicting(command, model, test, last, *words):
    """Time of predicting alone, by a model that is fitted once."""
    def side(setup):
        make(setup, last, *words)
        if not os.path.exists(setup.path(model)):
            run([setup.cairn] + [setup.path(a) for a in command] + ["--save", setup.path(model), "--quiet"])
        return cairn(["evaluate", model, test], "time.predict",
                     lambda v: "test accuracy %.4f" % v["accuracy"])(setup)
    return side


def linear(setup):
    make_text(setup)
    seconds, memory, _ = cairn_process(LINEAR)(setup)
    text, _, _, _ = run([setup.cairn, "evaluate", setup.path("DATA/svm-news.cairn"),
                         setup.path("DATA/news-test.tfidf.libsvm"), "--format", "json"])
    return seconds, memory, "test accuracy %.4f" % json.loads(text)["values"]["accuracy"]


MAKE_A9A = ("a9a-test.libsvm", "make-a9a", "A9A", "A9A_TEST")
MAKE_IMAGES = ("images-test.npy", "make-images", FASHION, FASHION_TEST)
MAKE_HOUSING = ("housing.npy", "make-housing", "HOUSING")

TASKS = [
    Task("svm-a9a", "RBF SVM of a9a, 32,561 x 123 sparse, C 1, gamma 1/123", fitting(A9A, *MAKE_A9A),
         [("libsvm svm-train, whole process", 5.0, peer("svm.py", "libsvm-fit", "DATA/")),
          ("scikit-learn SVC", 5.0, peer("svm.py", "svc-fit", "DATA/"))], needs="A9A", rounds=1),
    Task("svm-a9a-predict", "the same: predicting 16,281 rows",
         predicting(A9A, "DATA/svm-a9a.cairn", "DATA/a9a-test.libsvm", *MAKE_A9A),
         [("libsvm svm-predict, whole process", 20.0, peer("svm.py", "libsvm-predict", "DATA/")),
          ("scikit-learn SVC", 20.0, peer("svm.py", "svc-predict", "DATA/"))], needs="A9A_TEST", rounds=1),
    Task("svm-images", "RBF SVM of 10,000 images of 784 pixels, 10 classes, C 5, gamma 0.02",
         fitting(IMAGES, *MAKE_IMAGES),
         [("scikit-learn SVC", 4.0, peer("svm.py", "images-fit", "DATA/"))], rounds=2),
    Task("svm-images-predict", "the same: predicting 10,000 images",
         predicting(IMAGES, "DATA/svm-images.cairn", "DATA/images-test.npy", *MAKE_IMAGES),
         [("scikit-learn SVC", 20.0, peer("svm.py", "images-predict", "DATA/"))], rounds=1),
    Task("svm-text", "linear SVM of 11,314 x 56,436 tf-idf, 20 classes, from file to model file", linear,
         [("liblinear -s 1", 2.0, peer("svm.py", "linear", "DATA/news.tfidf.libsvm",
                                       "DATA/news-test.tfidf.libsvm"))], needs="NEWS_TEST"),
    Task("svm-housing", "support vector regression of 20,433 x 8, RBF, C 1, epsilon 0.1",
         fitting(HOUSING, *MAKE_HOUSING),
         [("scikit-learn SVR", 5.0, peer("svm.py", "housing-fit", "DATA/"))], needs="HOUSING", rounds=2),
]

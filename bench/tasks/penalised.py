# SPDX-License-Identifier: MIT
"""Least squares with penalties: paths of strengths, and the choice among them."""
from sides import Task, cairn, peer

STRENGTHS = ",".join("%.17g" % (1e6 * 1e-8 ** (i / 49)) for i in range(50))
OWN = ["--scale", "none", "--task", "regress"]


def on_path(values):
    return "50th strength: %d other than 0, squared errors %.3f" % (values["path50.nonzero"],
                                                                   values["path50.sse"])


def held_out(values):
    return "held-out %.6f, %d other than 0" % (values["held_out"], values["nonzero"])


TASKS = [
    Task("lasso-path", "lasso, path of 100 strengths, 800,000 x 50",
         cairn(["fit", "lasso", "DATA/sparse.npy", "--target", "column51", "--inner", "gcv"] + OWN, "time.fit", on_path),
         [("scikit-learn lasso_path", 3.0, peer("penalised.py", "lasso", "DATA/sparse.npy")),
          ("R glmnet", 4.0, peer("penalised.R", "lasso", "DATA/sparse.npy"))]),
    Task("elastic-net-cv", "elastic net, 100 strengths by 10 folds, 100,000 x 200",
         cairn(["fit", "lasso", "DATA/net.npy", "--target", "column201", "--mix", "0.5", "--inner", "cv:10"] + OWN,
               "time.fit", held_out),
         [("scikit-learn ElasticNetCV", 5.0, peer("penalised.py", "net", "DATA/net.npy")),
          ("R cv.glmnet", 5.0, peer("penalised.R", "net", "DATA/net.npy"))]),
    Task("ridge-loo", "ridge, 50 strengths by leaving each row out, 200,000 x 100",
         cairn(["fit", "ridge", "DATA/shrunk.npy", "--target", "column101", "--inner", "loo", "--lambda", STRENGTHS] +
               OWN, "time.fit",
               lambda v: "lambda %.6g, held-out %.6f" % (v["lambda"], v["held_out"])),
         [("scikit-learn RidgeCV", 5.0, peer("penalised.py", "ridge", "DATA/shrunk.npy"))]),
]

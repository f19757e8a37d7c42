# SPDX-License-Identifier: MIT
"""Generalised linear models."""
from sides import Task, cairn, peer

TASKS = [
    Task("poisson", "Poisson regression 800,000 x 28, with standard errors",
         cairn(["fit", "glm", "DATA/counts.npy", "--target", "column29", "--family", "poisson"],
               "time.fit", lambda v: "deviance %.4f" % v["deviance"]),
         [("R glm", 20.0, peer("glm.R", "DATA/counts.npy")),
          ("scikit-learn PoissonRegressor", 3.0, peer("glm.py", "DATA/counts.npy"))]),
]

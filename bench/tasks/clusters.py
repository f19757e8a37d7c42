# SPDX-License-Identifier: MIT
"""Clusters and how good they are."""
from sides import Task, cairn, peer

TASKS = [
    Task("silhouettes", "silhouettes of 20,000 x 16, 10 clusters",
         cairn(["compute", "silhouette", "DATA/groups.npy", "--clusters", "column17"], "time.compute",
               lambda v: "mean %.9f" % v["silhouette"]),
         [("scikit-learn silhouette_samples", 3.0, peer("silhouette.py", "DATA/groups.npy"))]),
]

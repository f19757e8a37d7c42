# SPDX-License-Identifier: MIT
"""Clusters and how good they are."""
from sides import Task, cairn, peer


def medoids(data, *options):
    """k-medoids with 20 clusters; the cost is the sum of the distances to the medoids."""
    return cairn(["fit", "kmedoids", data, "--clusters", "20", *options], "time.fit",
                 lambda v: "cost %.6g" % v["cost"])


TASKS = [
    Task("silhouettes", "silhouettes of 20,000 x 16, 10 clusters",
         cairn(["compute", "silhouette", "DATA/groups.npy", "--clusters", "column17"], "time.compute",
               lambda v: "mean %.9f" % v["silhouette"]),
         [("scikit-learn silhouette_samples", 3.0, peer("silhouette.py", "DATA/groups.npy"))]),
    Task("pam-3000", "k-medoids of 3,000 rows given as distances, k = 20",
         medoids("DATA/pairs-3000.npy", "--as", "distances"),
         [("R cluster::pam, pamonce = 6", 10.0, peer("medoids.R", "pam", "DATA/pairs-3000.npy"))]),
    Task("pam-10000", "k-medoids of 10,000 rows given as distances, k = 20",
         medoids("DATA/pairs-10000.npy", "--as", "distances"),
         [("R cluster::pam, pamonce = 6", 15.0, peer("medoids.R", "pam", "DATA/pairs-10000.npy"))], rounds=2),
    Task("medoids", "k-medoids of 200,000 x 16 by samples, k = 20",
         medoids("DATA/crowd.npy", "--scale", "none"),
         [("R cluster::clara, pamLike", 5.0, peer("medoids.R", "clara", "DATA/crowd.npy"))]),
]

# SPDX-License-Identifier: MIT
"""Clusters and how good they are."""
from sides import Task, cairn, peer


def medoids(data, *options):
    """k-medoids with 20 clusters; the cost is the sum of the distances to the medoids."""
    return cairn(["fit", "kmedoids", data, "--clusters", "20", *options], "time.fit",
                 lambda v: "cost %.6g" % v["cost"])


def tree(linkage):
    """The whole tree of 20,000 x 16; the quality is the sum of its heights."""
    return cairn(["fit", "hierarchy", "DATA/groups.npy", "--ignore", "column17", "--scale", "none",
                  "--linkage", linkage], "time.fit", lambda v: "heights %.9g" % v["heights"])


def linkage(program, name):
    return peer("linkage.py", program, name, "DATA/groups.npy")


def found(values):
    return "%d clusters, %d rows of noise" % (values["clusters"], values["noise"])


def dense(learner, data, *options):
    """A method of dense regions; the quality is how many clusters and how much noise it finds."""
    return cairn(["fit", learner, data, "--scale", "none", *options], "time.fit", found)


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
    Task("tree-average", "average linkage 20,000 x 16", tree("average"),
         [("scipy linkage", 6.0, linkage("scipy", "average")),
          ("fastcluster linkage", 3.0, linkage("fastcluster", "average"))], rounds=2),
    Task("tree-single", "single linkage 20,000 x 16", tree("single"),
         [("scipy linkage", 6.0, linkage("scipy", "single")),
          ("fastcluster linkage_vector", 3.0, linkage("vector", "single"))]),
    Task("tree-ward", "Ward linkage 20,000 x 16", tree("ward"),
         [("scipy linkage", 8.0, linkage("scipy", "ward")),
          ("fastcluster linkage_vector", 2.0, linkage("vector", "ward"))], rounds=2),
    Task("dbscan", "DBSCAN 500,000 x 2, eps 0.15, 10 rows",
         dense("dbscan", "DATA/spots.npy", "--eps", "0.15", "--min-points", "10"),
         [("scikit-learn DBSCAN", 8.0, peer("dbscan.py", "DATA/spots.npy")),
          ("R dbscan", 4.0, peer("density.R", "dbscan", "DATA/spots.npy"))]),
    Task("optics", "OPTICS 50,000 x 2, eps 2, 10 rows, cut at 0.4",
         dense("optics", "DATA/spots-50000.npy", "--eps", "2", "--min-points", "10", "--cut", "0.4"),
         [("R dbscan optics", 2.0, peer("density.R", "optics", "DATA/spots-50000.npy"))]),
    Task("hdbscan", "HDBSCAN 10,000 x 2, 10 rows",
         dense("hdbscan", "DATA/spots-10000.npy", "--min-size", "10"),
         [("R dbscan hdbscan", 2.0, peer("density.R", "hdbscan", "DATA/spots-10000.npy"))]),
]

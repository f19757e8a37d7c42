# SPDX-License-Identifier: MIT
"""Distances: clusters, components, neighbours."""
from sides import FASHION, FASHION_TEST, Task, cairn, peer


def neighbours(train, queries, *options, quality):
    """Time of keeping the rows (and building a tree) and of answering the queries."""
    def side(setup):
        model = setup.path("DATA/knn.cairn")
        built, memory, _ = cairn(["fit", "knn", train, "--k", "5", "--scale", "none", "--save", model, *options])(setup)
        asked, more, answer = cairn(["predict", model, queries], "time.predict", quality)(setup)
        return built + asked, max(memory, more), answer
    return side


TASKS = [
    Task("kmeans-10", "k-means 1,000,000 x 16, k = 10, 20 iterations",
         cairn(["fit", "kmeans", "DATA/blobs.csv", "--clusters", "10", "--init", "DATA/starts10.csv",
                "--max-iter", "20", "--tolerance", "0"], "time.fit",
               lambda v: "inertia %.6g" % v["inertia"]),
         [("scikit-learn Lloyd", 1.5, peer("kmeans.py", "DATA/blobs.npy", "DATA/starts10.npy"))]),
    Task("kmeans-100", "k-means 1,000,000 x 16, k = 100, 20 iterations",
         cairn(["fit", "kmeans", "DATA/blobs.csv", "--clusters", "100", "--init", "DATA/starts100.csv",
                "--max-iter", "20", "--tolerance", "0"], "time.fit",
               lambda v: "inertia %.6g" % v["inertia"]),
         [("scikit-learn Lloyd", 1.5, peer("kmeans.py", "DATA/blobs.npy", "DATA/starts100.npy"))]),
    Task("pca", "principal components 60,000 x 784, 50 of them",
         cairn(["compute", "pca", FASHION, "--components", "50"], "time.compute",
               lambda v: "explained %.6f" % v["pca.explained"]),
         [("numpy covariance and eigh", 1.0, peer("pca.py", "numpy", FASHION)),
          ("scikit-learn PCA", 4.0, peer("pca.py", "sklearn", FASHION))]),
    Task("knn-brute", "5 neighbours among 60,000 x 784, 10,000 queries, fit and predict",
         neighbours(FASHION, FASHION_TEST, quality=lambda v: "accuracy %.4f" % v["accuracy"]),
         [("scikit-learn brute force, float32", 1.5, peer("knn.py", "scikit-learn", FASHION, FASHION_TEST))],
         rounds=2),
    Task("knn-kd", "5 neighbours among 500,000 x 3, 50,000 queries, build and query",
         neighbours("DATA/points.npy", "DATA/queries.npy", "--target", "column4",
                    quality=lambda v: "RMSE %.6f" % v["rmse"]),
         [("scipy cKDTree", 1.5, peer("knn.py", "scipy", "DATA/points.npy", "DATA/queries.npy")),
          ("scikit-learn KDTree", 2.0,
           peer("knn.py", "scikit-learn-tree", "DATA/points.npy", "DATA/queries.npy"))]),
    Task("kernel-ridge", "kernel ridge regression, Gaussian kernel, 8,000 x 20",
         cairn(["fit", "kernel-ridge", "DATA/krr.npy", "--target", "column21", "--scale", "none"],
               "time.fit", lambda v: "MSE %.6f" % v["mse"]),
         [("scikit-learn KernelRidge", 0.9, peer("kernel_ridge.py", "DATA/krr.npy"))]),
]

# SPDX-License-Identifier: MIT
"""Mixtures by EM."""
from sides import Task, cairn, peer

# Ten means for sixteen columns, the same on both sides (peers/mixture.py).
MEANS = ";".join(",".join("%g" % ((7 * c + 3 * j) % 10 - 4.5) for j in range(16)) for c in range(10))


def mixture(covariance):
    """Twenty iterations from given means and the variances of all rows."""
    return cairn(["fit", "mixture", "DATA/crowd.npy", "--components", "10", "--covariance", covariance,
                  "--start-means", MEANS, "--max-iter", "20", "--tolerance", "0", "--floor", "1e-10"],
                 "time.fit", lambda v: "log-likelihood %.12g" % v["log_likelihood"])


TASKS = [
    Task("mixture-full", "Gaussian mixture, 10 full components, 200,000 x 16, 20 iterations", mixture("full"),
         [("scikit-learn GaussianMixture", 10.0, peer("mixture.py", "DATA/crowd.npy", "full"))]),
    Task("mixture-diagonal", "Gaussian mixture, 10 diagonal components, 200,000 x 16, 20 iterations",
         mixture("diagonal"),
         [("scikit-learn GaussianMixture", 10.0, peer("mixture.py", "DATA/crowd.npy", "diag"))]),
]

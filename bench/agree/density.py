#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Clusters by density against scikit-learn: labels of DBSCAN for random points in one to eight
columns, several distances, weights, given distances, points on a coarse grid where many distances
equal eps, and many rows, where a grid is used; order, reachabilities and clusters of OPTICS. Clusters,
probabilities and outlier scores of HDBSCAN against a plain calculation from scipy's single linkage.
Usage: bench/agree/density.py [BUILD]; exit 0 when all agree."""
import atexit
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import cdist, squareform
from sklearn.cluster import DBSCAN, OPTICS, _optics, cluster_optics_dbscan

CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
failures, compared = [], 0


def run(*words):
    done = subprocess.run([CAIRN, *words], capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: cairn %s\n%s" % (" ".join(words), done.stderr))
    return done.stdout


def write(name, head, rows):
    with open(os.path.join(FOLDER, name), "w") as out:
        csv.writer(out).writerows([head] + [[repr(float(c)) for c in row] for row in rows])


def labels(learner, *options):
    """The clusters of the rows of data.csv, from 0; noise is -1."""
    run("fit", learner, "data.csv", "--scale", "none", "--quiet", "--out", "labels.csv", *options)
    with open(os.path.join(FOLDER, "labels.csv")) as file:
        next(file)
        return np.array([-1 if line.strip() == "?" else int(line) - 1 for line in file])


def check(what, ours, theirs):
    global compared
    compared += len(theirs)
    if not np.array_equal(ours, theirs):
        failures.append(what)
        print("%s: %d of %d rows differ" % (what, np.sum(ours != theirs), len(theirs)))


def blobs(random, n, width):
    centres = random.uniform(-10, 10, (5, width))
    points = centres[random.integers(0, 5, n)] + random.normal(0, 1, (n, width))
    points[: n // 10] = random.uniform(-15, 15, (n // 10, width))
    return points[random.permutation(n)]


def against_dbscan(random):
    metrics = [("euclidean", "euclidean"), ("manhattan", "manhattan"), ("chebyshev", "chebyshev")]
    for n, width, eps in [(60, 2, 1.5), (900, 2, 0.6), (1500, 1, 0.05), (3000, 2, 0.4), (4000, 3, 0.7),
                          (2500, 3, 1.1), (1200, 5, 1.6), (1000, 8, 2.5), (40000, 2, 0.1)]:
        points = blobs(random, n, width)
        write("data.csv", ["x%d" % j for j in range(width)], points)
        for ours, theirs in metrics if n < 5000 else metrics[:1]:
            for least in (1, 4, 10):
                model = DBSCAN(eps=eps, min_samples=least, metric=theirs).fit(points)
                check("%s %d x %d, min-points %d" % (ours, n, width, least),
                      labels("dbscan", "--eps", repr(eps), "--min-points", str(least),
                             "--distance", ours), model.labels_)


def against_ties(random):
    """Whole numbers: many distances equal eps, many rows are equal."""
    for n, width, size in [(300, 2, 30), (5000, 2, 100), (3000, 3, 20), (2000, 1, 4000)]:
        points = random.integers(0, size, (n, width)).astype(float)
        write("data.csv", ["x%d" % j for j in range(width)], points)
        for eps in (1.0, 2.0, 5.0):
            check("grid %d x %d, eps %g" % (n, width, eps),
                  labels("dbscan", "--eps", repr(eps), "--min-points", "4"),
                  DBSCAN(eps=eps, min_samples=4).fit(points).labels_)


def against_weights(random):
    for n in (300, 4000):
        points, weights = blobs(random, n, 2), random.integers(1, 4, n)
        write("data.csv", ["x", "y", "w"], np.column_stack([points, weights]))
        check("weights of %d rows" % n,
              labels("dbscan", "--eps", "0.5", "--min-points", "8", "--weight", "w"),
              DBSCAN(eps=0.5, min_samples=8).fit(points, sample_weight=weights).labels_)


def against_distances(random):
    points = blobs(random, 200, 2)
    write("data.csv", ["d%d" % j for j in range(200)], cdist(points, points))
    check("given distances", labels("dbscan", "--eps", "1", "--min-points", "4", "--as", "distances"),
          DBSCAN(eps=1, min_samples=4).fit(points).labels_)


def same_groups(ours, theirs):
    """The labels with the numbers of the other side, where the groups are the same."""
    names = {}
    return np.array([-1 if o < 0 else names.setdefault(o, t) for o, t in zip(ours, theirs)])


def shorten(plot, predecessors, ordering, begin, end):
    """The correction of valleys by predecessors, which are rows: before version 1.4, scikit-learn
    took them for places in the order."""
    while begin < end:
        if plot[begin] > plot[end] or predecessors[end] in ordering[begin:end]:
            return begin, end
        end -= 1
    return None, None


def against_optics(random):
    _optics._correct_predecessor = shorten
    for n, width, least, eps in [(80, 2, 4, np.inf), (700, 2, 8, np.inf), (900, 3, 5, 2.0),
                                 (600, 1, 5, np.inf), (1000, 2, 5, 1.0)]:
        points = blobs(random, n, width)
        what = "optics %d x %d" % (n, width)
        write("data.csv", ["x%d" % j for j in range(width)], points)
        limit = [] if np.isinf(eps) else ["--eps", repr(eps)]
        options = ["--min-points", str(least)] + limit
        theirs = OPTICS(min_samples=least, max_eps=eps).fit(points)
        values = json.loads(run("fit", "optics", "data.csv", "--scale", "none", "--format", "json",
                                *options))["values"]
        check(what + " order", np.array([values["order.%d" % (i + 1)] for i in range(n)]) - 1,
              theirs.ordering_)
        for name, wanted in (("reach", theirs.reachability_), ("core", theirs.core_distances_)):
            ours = np.array([float(values["%s.%d" % (name, i + 1)]) for i in range(n)])
            close = np.isclose(ours, wanted, rtol=1e-12, atol=1e-12)
            check("%s %s" % (what, name), np.where(close, wanted, ours), wanted)
        check(what + " xi", same_groups(labels("optics", *options), theirs.labels_), theirs.labels_)
        cut = cluster_optics_dbscan(reachability=theirs.reachability_, ordering=theirs.ordering_,
                                    core_distances=theirs.core_distances_, eps=0.6)
        check(what + " cut", labels("optics", "--cut", "0.6", *options), cut)


def mutual_linkage(points, least):
    """Single linkage by mutual reachability, as scipy has it: parts, heights, sizes."""
    distances = cdist(points, points)
    core = np.sort(distances, 1)[:, least - 1]
    mutual = np.maximum(distances, np.maximum(core[:, None], core[None, :]))
    np.fill_diagonal(mutual, 0)
    return linkage(squareform(mutual, checks=False), "single")


def below(merges, n, node, stop):
    """The nodes under a node at which `stop` says to stop."""
    waiting, found = [node], []
    while waiting:
        at = waiting.pop()
        if at != node and stop(at):
            found.append(at)
        else:
            waiting += [int(x) for x in merges[at - n, :2]]
    return found


def condense(points, least):
    """The condensed tree: per row cluster and lambda of leaving; per cluster parent, birth,
    stability, death. Merges of one height are one."""
    n, merges = len(points), mutual_linkage(points, least)
    size = lambda x: 1 if x < n else merges[x - n, 3]
    clusters, leaves, lambdas, waiting = [[-1, 0.0, 0.0, 0.0]], np.zeros(n, int), np.zeros(n), [(2 * n - 2, 0)]
    while waiting:
        node, owner = waiting.pop()
        height = merges[node - n, 2]
        parts = below(merges, n, node, lambda x: x < n or merges[x - n, 2] < height)
        large = [x for x in parts if size(x) >= least]
        for part in parts:
            clusters[owner][3] = max(clusters[owner][3], 1 / height if part not in large or len(large) > 1 else 0)
            if part not in large or len(large) > 1:
                clusters[owner][2] += size(part) * (1 / height - clusters[owner][1])
            if part not in large:
                rows = [part] if part < n else below(merges, n, part, lambda x: x < n)
                leaves[rows], lambdas[rows] = owner, 1 / height
            elif len(large) == 1:
                waiting.append((part, owner))
            else:
                waiting.append((part, len(clusters)))
                clusters.append([owner, 1 / height, 0.0, 0.0])
    return clusters, leaves, lambdas


def naive_hdbscan(points, least):
    """Labels, probabilities and outlier scores of all rows, by excess of mass."""
    clusters, leaves, lambdas = condense(points, least)
    below_sum, peak = [0.0] * len(clusters), [c[3] for c in clusters]
    chosen = [False] * len(clusters)
    for i in range(len(clusters) - 1, 0, -1):
        parent, _, stability, _ = clusters[i]
        chosen[i] = not below_sum[i] > stability
        below_sum[parent] += max(stability, below_sum[i])
        peak[parent] = max(peak[parent], peak[i])
    labels_, probabilities = np.full(len(points), -1), np.zeros(len(points))
    for row, at in enumerate(leaves):
        while at > 0:
            labels_[row] = at if chosen[at] else labels_[row]
            at = clusters[at][0]
        if labels_[row] >= 0:
            probabilities[row] = min(1, lambdas[row] / clusters[labels_[row]][3])
    return labels_, probabilities, 1 - lambdas / np.array(peak)[leaves]


def against_hdbscan(random):
    for n, width, least in [(60, 2, 4), (390, 2, 5), (900, 2, 5), (1000, 3, 8), (1000, 1, 5), (800, 8, 10)]:
        points = blobs(random, n, width)
        what = "hdbscan %d x %d" % (n, width)
        write("data.csv", ["x%d" % j for j in range(width)], points)
        theirs = naive_hdbscan(points, least)
        values = json.loads(run("fit", "hdbscan", "data.csv", "--scale", "none", "--format", "json",
                                "--min-size", str(least)))["values"]
        ours = np.array([values["assign.%d" % (i + 1)] for i in range(n)]).astype(int) - 1
        check(what, same_groups(ours, theirs[0]), theirs[0])
        for name, wanted in (("probability", theirs[1]), ("outlier", theirs[2])):
            got = np.array([values["%s.%d" % (name, i + 1)] for i in range(n)])
            close = np.isclose(got, wanted, rtol=1e-9, atol=1e-12)
            check("%s %s" % (what, name), np.where(close, wanted, got), wanted)


def main():
    random = np.random.default_rng(7)
    against_dbscan(random)
    against_ties(random)
    against_weights(random)
    against_distances(random)
    against_optics(random)
    against_hdbscan(random)
    print("%d labels compared, %d of the comparisons failed" % (compared, len(failures)))
    sys.exit(1 if failures else 0)


main()

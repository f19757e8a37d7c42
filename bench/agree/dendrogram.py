#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Trees of clusters against others: the heights and cophenetic distances of DIANA against R's
cluster::diana (to 1e-9), cophenetic distances and their correlation of four linkages against
scipy (to 1e-9), and Newick texts there and back.
Usage: bench/agree/dendrogram.py [BUILD]; exit 0 when all agree."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import numpy as np
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import pdist, squareform

CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
failures, compared = [], 0
DIANA = """library(cluster)
d <- diana(as.dist(as.matrix(read.csv("d.csv"))))
write.table(sort(d$height), "heights.txt", row.names = FALSE, col.names = FALSE)
write.table(as.matrix(cophenetic(as.hclust(d))), "cophenetic.txt", row.names = FALSE,
            col.names = FALSE)"""


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: %s\n%s" % (" ".join(words), done.stderr))
    return done.stdout


def cairn(*words):
    return run(CAIRN, *words)


def table(name):
    return np.genfromtxt(os.path.join(FOLDER, name), delimiter=",", skip_header=1,
                         comments=None)


def write(name, matrix):
    with open(os.path.join(FOLDER, name), "w") as out:
        out.write(",".join("r%d" % j for j in range(matrix.shape[1])) + "\n")
        for row in matrix:
            out.write(",".join(repr(float(x)) for x in row) + "\n")


def check(what, values, wanted):
    global compared
    compared += np.size(wanted)
    away = np.max(np.abs(values - wanted)) if np.shape(values) == np.shape(wanted) else np.inf
    if not away <= 1e-9 * max(1, np.max(np.abs(wanted))):
        failures.append(what)
        print("%s: off by %g" % (what, away))


draw = np.random.default_rng(5)
plain = ["--with", "scale:method=none"]
for n, width in [(5, 2), (40, 3), (250, 6)]:
    x = draw.normal(size=(n, width)) + 3 * draw.integers(0, 3, (n, 1))
    distances = pdist(x)
    write("x.csv", x)
    write("d.csv", squareform(distances))
    run("Rscript", "-e", DIANA)
    for source in (["x.csv", *plain], ["d.csv", "--as", "distances"]):
        words = ["compute", "dendrogram", *source, "--learner", "hierarchy:method=diana"]
        cairn(*words, "--out", "merges.csv")
        check("diana %d" % n, np.sort(table("merges.csv")[:, 3]),
              np.loadtxt(os.path.join(FOLDER, "heights.txt")))
        cairn(*words, "--result", "cophenetic", "--out", "c.csv")
        check("diana pairs %d" % n, table("c.csv"),
              np.loadtxt(os.path.join(FOLDER, "cophenetic.txt")))
    for name in ["single", "complete", "average", "ward"]:
        correlation, pairs = cophenet(linkage(distances, name), distances)
        words = ["compute", "dendrogram", "x.csv", *plain, "--learner", "hierarchy:linkage=" + name]
        values = json.loads(cairn(*words, "--format", "json"))["values"]
        check(name + " correlation", values["cophenetic_correlation"], correlation)
        cairn(*words, "--result", "cophenetic", "--out", "c.csv")
        check(name + " pairs", table("c.csv"), squareform(pairs))
        cairn(*words, "--out", "tree.nwk")
        cairn("compute", "dendrogram", "tree.nwk", "--result", "cophenetic", "--out", "back.csv")
        with open(os.path.join(FOLDER, "back.csv")) as file:
            order = [int(name) - 1 for name in file.readline().split(",")]
        check(name + " Newick", table("back.csv"), squareform(pairs)[np.ix_(order, order)])
print("%d numbers compared, %d cases off" % (compared, len(failures)))
sys.exit(bool(failures))

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Bayesian networks against other ways to the same numbers, to 1e-9 of their size: answers of random typed
networks against the sum over all outcomes, mutual information against scikit-learn's, the tree of Chow and
Liu against scipy's spanning tree, hill climbing against a plain one with numpy that scores all moves anew,
and classes of rows with missing cells against enumeration.
Usage: bench/agree/network.py [BUILD]; exit 0 when all agree."""
import atexit
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree
from sklearn.metrics import mutual_info_score

CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
random = np.random.default_rng(11)
failures, compared = [], 0


def near(what, ours, theirs):
    global compared
    compared += 1
    if not abs(ours - theirs) <= 1e-9 * max(1, abs(theirs)):
        failures.append(what)
        print("not so: %s: %.12g, %.12g" % (what, ours, theirs))


def cairn(*words):
    done = subprocess.run([CAIRN, *words, "--format", "json"], capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: %s\n%s" % (" ".join(words), done.stderr))
    return json.loads(done.stdout)["values"]


class Network:
    """Tables of a random graph over n variables, which are named in an order of their own."""

    def __init__(self, n):
        self.values = random.integers(2, 4, n)
        self.order = random.permutation(n)
        self.parents, self.tables = {}, {}
        for i, v in enumerate(self.order):
            self.parents[v] = sorted(u for u in self.order[:i] if random.random() < 0.45)
            shape = [self.values[u] for u in self.parents[v]] + [self.values[v]]
            table = random.random(shape) + 0.02
            self.tables[v] = table / table.sum(-1, keepdims=True)

    def outcomes(self):
        return itertools.product(*(range(k) for k in self.values))

    def joint(self, outcome):
        return np.prod([self.tables[v][tuple(outcome[u] for u in self.parents[v]) + (outcome[v],)]
                        for v in self.tables])

    def text(self):
        lines = ["v%d = %s" % (v, "/".join("l%d" % l for l in range(k))) for v, k in enumerate(self.values)]
        for v in self.tables:
            for row in itertools.product(*(range(self.values[u]) for u in self.parents[v])):
                given = ", ".join("v%d = l%d" % (u, l) for u, l in zip(self.parents[v], row))
                lines.append("P(v%d%s) = %s" % (v, " | " + given if given else "",
                                                ", ".join("%.17g" % p for p in self.tables[v][row])))
        return "\n".join(lines) + "\n"


def check_answers(number):
    net = Network(6)
    with open(os.path.join(FOLDER, "net.txt"), "w") as file:
        file.write(net.text())
    wanted, *known = random.permutation(6)[:1 + number % 4]
    known = {u: random.integers(net.values[u]) for u in known}
    given = ", ".join("v%d = l%d" % pair for pair in known.items())
    values = cairn("compute", "network", "net.txt", "--query", "P(v%d%s)" % (wanted, " | " + given if given else ""),
                   "--explain", given or "nothing")
    agreeing = [o for o in net.outcomes() if all(o[u] == l for u, l in known.items())]
    joints = np.array([net.joint(o) for o in agreeing])
    for l in range(net.values[wanted]):
        both = sum(p for o, p in zip(agreeing, joints) if o[wanted] == l)
        near("network %d, P(l%d)" % (number, l), values["query1.l%d" % l], both / joints.sum())
    near("network %d, explanation" % number, values["explain.p"], joints.max())


def rows_of(n, columns, levels):
    """Columns that copy one before them half the time."""
    table = np.zeros((n, columns), int)
    for v in range(columns):
        table[:, v] = random.integers(levels, size=n)
        if v:
            copies = random.random(n) < 0.5
            table[copies, v] = table[copies, random.integers(v)]
    return table


def write(table, name="rows.csv"):
    with open(os.path.join(FOLDER, name), "w") as file:
        file.write(",".join("v%d" % v for v in range(table.shape[1])) + "\n")
        for row in table:
            file.write(",".join("?" if l < 0 else "l%d" % l for l in row) + "\n")


def check_tree(levels):
    table = rows_of(2000, 12, levels)
    write(table)
    values = cairn("fit", "bayes-net", "rows.csv", "--target", "v11", "--structure", "tree", "--steps")
    information = np.zeros((12, 12))
    for x, y in itertools.combinations(range(12), 2):
        information[x, y] = mutual_info_score(table[:, x], table[:, y])
        near("information %d %d" % (x, y), values["information.v%d.v%d" % (x, y)], information[x, y])
    near("tree", values["tree.information"], -minimum_spanning_tree(-information).sum())


def family_score(table, levels, v, parents):
    counts = np.zeros([levels] * (len(parents) + 1))
    np.add.at(counts, tuple(table[:, u] for u in [*parents, v]), 1)
    totals = np.broadcast_to(counts.sum(-1, keepdims=True), counts.shape)
    there = counts > 0
    return ((counts[there] * np.log(counts[there] / totals[there])).sum()
            - np.log(len(table)) / 2 * (levels - 1) * levels ** len(parents))


def has_circle(arcs):
    reach = arcs.copy()
    for _ in range(len(arcs)):
        reach = reach | ((reach.astype(int) @ arcs.astype(int)) > 0)
    return reach.diagonal().any()


def climb(table, levels, most):
    """Arcs and BIC of plain hill climbing."""
    n = table.shape[1]
    arcs = np.zeros((n, n), bool)
    scores = {}

    def total(graph):
        for v in range(n):
            key = (v, tuple(np.flatnonzero(graph[:, v])))
            if key not in scores:
                scores[key] = family_score(table, levels, *key)
        return sum(scores[v, tuple(np.flatnonzero(graph[:, v]))] for v in range(n))

    best = total(arcs)
    while True:
        found = None
        for u, v in itertools.permutations(range(n), 2):
            for back in (False, True):
                tried = arcs.copy()
                tried[u, v] = not arcs[u, v]
                if back:
                    if not arcs[u, v]:
                        continue
                    tried[v, u] = True
                if tried.sum(0).max() > most or has_circle(tried):
                    continue
                score = total(tried)
                if score > best + 1e-6 and (found is None or score > found[0] + 1e-6):
                    found = score, tried
        if found is None:
            return arcs, best
        best, arcs = found


def check_climb(levels):
    table = rows_of(1500, 7, levels)
    write(table)
    values = cairn("fit", "bayes-net", "rows.csv", "--target", "v6", "--structure", "climb", "--smooth", "none",
                   "--max-parents", "2")
    _, best = climb(table, levels, 2)
    near("climbing, %d levels" % levels, values["bic"], -2 * best)


def check_missing():
    """Tree-augmented tables by counts plus 1, and the sum over what is missing."""
    table = rows_of(300, 5, 3)
    write(table)
    asked = rows_of(40, 5, 3)
    asked[random.random(asked.shape) < 0.4] = -1
    asked[:, 4] = 0
    write(asked, "asked.csv")
    values = cairn("fit", "bayes-net", "rows.csv", "--target", "v4", "--save", "m.cairn")
    parents = {v: [int(name[1:]) for name in values["parents.v%d" % v].split(", ") if name] for v in range(5)}
    tables = {}
    for v in range(5):
        counts = np.ones([3] * (len(parents[v]) + 1))
        np.add.at(counts, tuple(table[:, u] for u in [*parents[v], v]), 1)
        tables[v] = counts / counts.sum(-1, keepdims=True)
    answers = cairn("predict", "m.cairn", "asked.csv", "--output", "label,probabilities")
    for i, row in enumerate(asked):
        sums = np.zeros(3)
        for o in itertools.product(range(3), repeat=5):
            if all(l < 0 or l == o[v] for v, l in enumerate(row[:4])):
                sums[o[4]] += np.prod([tables[v][tuple(o[u] for u in [*parents[v], v])] for v in range(5)])
        for l in range(3):
            near("row %d, class %d" % (i, l), answers["p(l%d).%d" % (l, i + 1)], sums[l] / sums.sum())


for number in range(40):
    check_answers(number)
for levels in (2, 5, 20):
    check_tree(levels)
for levels in (2, 3, 2, 3):
    check_climb(levels)
check_missing()
print("%d numbers compared, %d disagree" % (compared, len(failures)))
sys.exit(1 if failures else 0)

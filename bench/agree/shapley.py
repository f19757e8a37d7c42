#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Shapley values against brute force over all sets of columns, on random tables.

A model is fitted to numbers, levels and missing cells and exported as JSON, whose trees are walked
here in Python: v(S) is taken of every set S of columns, by the shares of branches among the background
rows or against each background row, and the values and interactions of the definition are summed up.
Every value must agree to 1e-9 of the largest one (or of 0.001, which is larger). Linear and logistic models are held against weight
times distance from the mean, sampled values of any learner against the exact ones: at most one in
twenty may lie further than three standard errors away.

--build DIR [--tables N]. Exit 0 when all agree."""
import argparse
import csv
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

LEARNERS = [("tree", "--max-depth 4"), ("tree", "--split binary --max-depth 4"),
            ("tree", "--missing-in-model weights --max-depth 3"), ("tree", "--smooth laplace --max-leaves 6"),
            ("forest", "--trees 5 --max-depth 3"), ("forest", "--trees 3 --combine shares --max-depth 4")]
BOOST = [("boost", "--rounds 5 --max-leaves 6"), ("boost", "--rounds 3 --max-leaves 4 --eta 0.5")]


def run(*words, fails=False):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode and not fails:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done


def write_table(path, rng, classes, missing):
    """Six columns of which two are levels; the target depends on some of them together."""
    n = int(rng.integers(15, 60))
    x = rng.integers(0, 6, size=(n, 4)) + rng.integers(0, 3, size=(n, 4)) / 4
    a, b = rng.integers(0, 3, n), rng.integers(0, 4, n)
    y = x[:, 0] * (a == 1) + x[:, 1] - x[:, 2] * (b > 1) + rng.normal(0, 1, n)
    with open(path, "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["p", "q", "r", "s", "a", "b", "y"])
        for i in range(n):
            cells = [*x[i], "uvw"[a[i]], "klmn"[b[i]]]
            if missing:
                cells = ["" if rng.random() < 0.08 else c for c in cells]
            level = "no" if y[i] < 2 else "maybe" if classes == 3 and y[i] < 4 else "yes"
            out.writerow([*cells, level if classes else y[i]])


class Trees:
    """The trees of an exported program."""

    def __init__(self, step, n_columns):
        self.op, self.n = step, n_columns
        self.nodes = np.array(step["codes"]["nodes"]).reshape(-1, 4)
        self.width = step["sizes"]["values"]
        # the scale of a score is that of the model: a forest is a mean of its trees
        self.scale = 1 / step["sizes"]["trees"] if step["sizes"]["forest"] else 1

    def children(self, i):
        """The links of a node, the last for missing cells."""
        column, test, first, _ = self.nodes[i]
        n = int(self.op["numbers"]["cuts"][i]) if test == 3 else 2
        return self.op["codes"]["links"][first:first + n + 1]

    def side(self, column, test, cut, row):
        x = row[column]
        if x is None:
            return -1
        if test == 4:
            n = self.op["codes"]["sets"][int(cut)]
            return self.op["codes"]["sets"][int(cut) + 1 + int(x)] - 1 if x < n else -1
        return [not x <= cut, not x < cut, x != cut, int(x) if x < cut else -1][test] + 0

    def outcome(self, i, row):
        """Shares of the row that go to each child of node i."""
        column, test, first, _ = self.nodes[i]
        links = self.children(i)
        side = self.side(column, test, self.op["numbers"]["cuts"][i], row)
        child = links[side if side >= 0 else len(links) - 1]
        codes = self.op["codes"]
        if child < 0:
            side = -1
            starts = codes.get("surrogate_starts")
            for k in range(starts[i], starts[i + 1]) if starts else ():
                c, t, flipped = codes["surrogates"][3 * k:3 * k + 3]
                side = self.side(c, t, self.op["numbers"]["surrogate_cuts"][k], row)
                if side >= 0:
                    side ^= flipped
                    break
            if side < 0 and codes.get("usual"):
                side = codes["usual"][i]
            child = links[side] if side >= 0 else -1
        if child >= 0:
            return {child: 1.0}
        parts = self.op["numbers"]["parts"][first:first + len(links) - 1]
        out, total = {}, sum(p for p, l in zip(parts, links) if l >= 0)
        for p, l in zip(parts, links):
            if l >= 0 and p > 0:
                out[l] = out.get(l, 0) + p / total
        return out

    def cover(self, rows):
        """Counts of the rows on the edges (node, child)."""
        self.shares = {}
        def down(i, row, weight):
            if self.nodes[i][0] < 0:
                return
            for child, part in self.outcome(i, row).items():
                self.shares[i, child] = self.shares.get((i, child), 0) + part * weight
                down(child, row, part * weight)
        for root in self.op["codes"]["roots"]:
            for row in rows:
                down(root, row, 1.0)

    def split(self, i):
        links = list(dict.fromkeys(l for l in self.children(i) if l >= 0))
        total = sum(self.shares.get((i, l), 0) for l in links)
        return {l: self.shares.get((i, l), 0) / total if total else 1 / len(links) for l in links}

    def value(self, row, known):
        """v(S) with the columns of the set known; known None = all of them."""
        def down(i):
            if self.nodes[i][0] < 0:
                at = self.nodes[i][3]
                if self.op["sizes"]["votes"]:
                    return np.eye(self.width)[self.op["codes"]["labels"][at]]
                return np.array(self.op["numbers"]["values"][at * self.width:(at + 1) * self.width])
            go = self.outcome(i, row) if known is None or self.nodes[i][0] in known else self.split(i)
            return sum(part * down(child) for child, part in go.items())
        return self.scale * sum(down(root) for root in self.op["codes"]["roots"])


def brute(value, m, pairs):
    """Shapley values, and interactions with halves at both places, of a game of m players."""
    sets = {s: value(frozenset(s)) for k in range(m + 1) for s in itertools.combinations(range(m), k)}
    phi = [0] * m
    inter = {}
    for s, v in sets.items():
        for i in set(range(m)) - set(s):
            w = math.factorial(len(s)) * math.factorial(m - len(s) - 1) / math.factorial(m)
            with_i = tuple(sorted((*s, i)))
            phi[i] = phi[i] + w * (sets[with_i] - v)
            for j in set(range(m)) - set(s) - {i} if pairs else ():
                w = math.factorial(len(s)) * math.factorial(m - len(s) - 2) / (2 * math.factorial(m - 1))
                both = sets[tuple(sorted((*s, i, j)))] - sets[tuple(sorted((*s, j)))]
                inter[i, j] = inter.get((i, j), 0) + w * (both - (sets[with_i] - v))
    return phi, inter


def codes_of(path, columns):
    """Rows as the program sees them."""
    rows = []
    for record in csv.DictReader(open(path)):
        row = []
        for c in columns:
            cell = record[c["name"]]
            row.append(None if cell == "" else float(cell) if c["kind"] == "number" else c["levels"].index(cell))
        rows.append(row)
    return rows


class Judge:
    def __init__(self, cairn, folder):
        self.cairn, self.folder = cairn, folder
        self.model, self.data = os.path.join(folder, "m.cairn"), os.path.join(folder, "d.csv")
        self.out = os.path.join(folder, "o.csv")
        self.failed, self.compared = 0, 0
        self.far = self.drawn = 0

    def values(self, *options):
        done = run(self.cairn, "compute", "shapley", self.model, self.data, "--out", self.out, *options, fails=True)
        if done.returncode:
            return None
        table = list(csv.DictReader(open(self.out)))
        names = [c for c in table[0] if c.startswith("phi_")]
        return names, [[float(r[c]) for c in names] for r in table]

    def hold(self, what, ours, theirs):
        scale = max(1e-3, np.max(np.abs(theirs)))
        worst = np.max(np.abs(np.array(ours) - np.array(theirs))) / scale
        self.compared += np.size(theirs)
        if not worst <= 1e-9:
            self.failed += 1
            print(f"{what}: {worst:.2g} of the largest value away")

    def pairs(self, what, program, row, inter, *options):
        """Sizes of the interactions of one row."""
        report = json.loads(run(self.cairn, "compute", "shapley", self.model, self.data, "--rows", str(row + 1),
                                "--interactions", "--format", "json", *options).stdout)["values"]
        theirs, mine = [], []
        for a, b in itertools.combinations(range(len(program["columns"])), 2):
            mine.append(report.get(f"pair.{program['columns'][a]['name']}.{program['columns'][b]['name']}", 0))
            theirs.append(abs(2 * inter[a, b]))
        self.hold(what, mine, theirs)

    def trees(self, what, classes):
        program = json.loads(run(self.cairn, "export", self.model, "--to", "json").stdout)
        steps = [s for s in program["steps"] if s["op"] == "trees"]
        if not steps:
            return
        trees = Trees(steps[0], len(program["columns"]))
        rows = codes_of(self.data, program["columns"])
        trees.cover(rows)
        m = len(program["columns"])
        names = program["answer"].get("classes") or []
        places = next((s["codes"]["places"] for s in program["steps"] if s["op"] == "logistic"), None)
        options, at, sign = [], 0, 1
        if classes:
            options = ["--of-class", "yes"]
            at = names.index("yes")
            if places:
                at, sign = 0, 1 if places[0] == at else -1
        few = range(min(4, len(rows)))
        ours = self.values(*options)
        if ours is None:
            return
        order = [ours[0].index("phi_" + c["name"]) if "phi_" + c["name"] in ours[0] else None for c in program["columns"]]
        for i in few:
            phi, inter = brute(lambda s: sign * trees.value(rows[i], s)[at], m, True)
            self.hold(f"{what}, row {i + 1}", [0 if o is None else ours[1][i][o] for o in order], phi)
            self.pairs(f"{what}, row {i + 1}, pairs", program, i, inter, *options)
        ours = self.values(*options, "--against", "rows", "--draws", "100000")
        if ours is None:
            return
        for i in few:
            def mean(known):
                return np.mean([sign * trees.value([rows[i][c] if c in known else b[c] for c in range(m)], None)[at]
                                for b in rows])
            phi, inter = brute(mean, m, True)
            self.hold(f"{what}, row {i + 1}, against rows", [0 if o is None else ours[1][i][o] for o in order], phi)
            self.pairs(f"{what}, row {i + 1}, pairs against rows", program, i, inter, *options, "--against", "rows",
                       "--draws", "100000")
        exact = ours[1]
        ours = self.values(*options, "--method", "sampled", "--rows", "1-2", "--draws", "100000", "--permutations", "400")
        if ours and not any(s["op"] in ("logistic", "softmax") for s in program["steps"]):
            self.sampled(exact, ours, options)

    def sampled(self, exact, ours, options):
        report = json.loads(run(self.cairn, "compute", "shapley", self.model, self.data, "--rows", "1-2", "--method",
                                "sampled", "--draws", "100000", "--permutations", "400", "--format", "json",
                                *options).stdout)["values"]
        for i in range(2):
            for name, a, b in zip(ours[0], exact[i], ours[1][i]):
                self.drawn += 1
                self.far += abs(a - b) > 3 * report[f"row{i + 1}.error.{name[4:]}"] + 1e-9

    def linear(self, what):
        """Weights by the program's affine step, rows by the indicators of the data."""
        rng = np.random.default_rng(1)
        x = rng.normal(size=(30, 3))
        classes = what == "logistic"
        y = x @ [1, -2, 0.5] + rng.normal(size=30)
        with open(self.data, "w") as f:
            print("p,q,r,y", file=f)
            for i in range(30):
                print(*x[i], ("yes" if y[i] > 0 else "no") if classes else y[i], sep=",", file=f)
        run(self.cairn, "fit", what, self.data, "--target", "y", "--save", self.model)
        names, ours = self.values(*(["--of-class", "yes"] if classes else []))
        z = np.array([[float(v) for v in r] for r in ours])
        # the score itself, from predictions: its differences along each column are the weights
        if classes:
            shares = run(self.cairn, "predict", self.model, self.data, "--output", "scores").stdout
            table = list(csv.DictReader(shares.splitlines()))
            key = [k for k in table[0] if "yes" in k][0]
            p = np.array([float(r[key]) for r in table])
            score = np.log(p / (1 - p))
        else:
            table = list(csv.DictReader(run(self.cairn, "predict", self.model, self.data).stdout.splitlines()))
            score = np.array([float(list(r.values())[0]) for r in table])
        w = np.linalg.lstsq(np.c_[x, np.ones(30)], score, rcond=None)[0][:3]
        self.hold(what, z, w * (x - x.mean(axis=0)))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--build", default="build")
    options.add_argument("--tables", type=int, default=12)
    options = options.parse_args()
    cairn = os.path.join(options.build, "cairn")
    learners = LEARNERS
    if "boost" in run(cairn, "list", "learners").stdout.split():
        learners = LEARNERS + BOOST
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(cairn, folder)
        for seed in range(options.tables):
            rng = np.random.default_rng(seed)
            classes = [0, 2, 3][seed % 3]
            write_table(judge.data, rng, classes, seed % 2)
            for learner, words in learners:
                if learner == "tree" and "smooth" in words and not classes:
                    continue
                if learner == "forest" and "combine" in words and not classes:
                    continue
                done = run(cairn, "fit", learner, judge.data, "--target", "y", "--save", judge.model, *words.split(), fails=True)
                if done.returncode:
                    print(learner, words, done.stderr)
                    continue
                judge.trees(f"table {seed + 1}, {learner} {words}", classes)
        judge.linear("linear")
        judge.linear("logistic")
        print(f"{judge.compared} values compared, {judge.failed} rows differ; "
              f"{judge.far} of {judge.drawn} sampled values lie beyond three standard errors")
        sys.exit(judge.failed > 0 or judge.far > judge.drawn / 20)


main()

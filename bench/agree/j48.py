#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The tree of the preset c4.5 against J48 of Weka (Debian's package weka, which needs java).

All built-in tables with a class to learn are written as ARFF files, which both read; the trees must be
the same, branch by branch, with the same answers (cuts to the six decimals that Weka prints), pruned
and unpruned, and with other limits. On larger data sets two thirds of the rows are learned from: size
of the trees, accuracy on the other third, and how many of the nodes are the same on the way down are
shown, and where the first difference is. Where missing cells divide rows, a leaf may hold equal parts
of two classes, and the rounding of its sums decides: such answers count as the same. Where trees
differ, they are made again from numbers a million times as large, since Weka makes no cut between two
values that are less than 1e-5 apart; then they must be the same.

--build DIR [--data DIR: the larger data sets] [names of tables]. Exit 0 when all trees are the same,
except for those listed in KNOWN with the reason."""
import argparse
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd

WEKA = ["java", "-cp", "/usr/share/java/weka.jar:/usr/share/java/java-cup.jar",
        "weka.classifiers.trees.J48", "-no-cv"]
# name, options of ours, options of Weka
WAYS = [("default", [], []),
        ("unpruned", ["--prune", "none"], ["-U"]),
        ("confidence 0.1", ["--confidence", "0.1"], ["-C", "0.1"]),
        ("no raising", ["--raise=no"], ["-S"]),
        ("leaves of 1", ["--min-leaf", "1", "--min-rows", "2"], ["-M", "1"])]
# table, way: why the trees differ
KNOWN = {("@enjoysport", "leaves of 1"):
         "two values are many for four rows, and only when all columns have many does Weka let them "
         "count in the average gain; wind has one value, so nothing counts and Weka makes no split"}
# file, columns that are left out, target (a number is cut at this value)
LARGE = [("iris.csv", [], None), ("wine.csv", [], None), ("breast_cancer.csv", [], None),
         ("diabetes.csv", [], 140.5), ("titanic.csv", ["PassengerId", "Name", "Ticket", "Cabin"], None),
         ("mushroom.csv", [], None), ("spambase.csv", [], None), ("mammography.csv", [], None),
         ("digits.csv", [], None), ("covtype_10k.csv", [], None), ("letter.csv", [], None),
         ("adult_train.csv.zst", [], None)]
NUMBERS = {"titanic.csv": ["Age", "SibSp", "Parch", "Fare"]}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    return done.stdout


# -- tables -----------------------------------------------------------------------------------------

class Table:
    """Columns (levels, or None for numbers) and rows of cells ("?" where missing); the last column is
    the class. Names are replaced by a0, a1 ..., l0, l1 ... and k0, k1 ..."""

    def __init__(self, levels, rows):
        self.levels, self.rows = levels, rows

    def widened(self):
        """The same table with numbers 10 to the power of 6 as large: Weka makes no cut between two
        values that are less than 1e-5 apart."""
        def cell(i, text):
            return text if text == "?" or self.levels[i] is not None else repr(float(text) * 1e6)
        return Table(self.levels, [[cell(i, c) for i, c in enumerate(row)] for row in self.rows])

    def write(self, path, rows=None):
        with open(path, "w") as out:
            out.write("@relation table\n")
            for i, levels in enumerate(self.levels):
                last = i == len(self.levels) - 1
                out.write("@attribute %s %s\n" % (
                    "class" if last else "a%d" % i, "numeric" if levels is None else
                    "{" + ",".join(("k%d" if last else "l%d") % j for j in range(len(levels))) + "}"))
            out.write("@data\n")
            codes = [None if v is None else {name: j for j, name in enumerate(v)}
                     for v in self.levels]
            for row in (self.rows if rows is None else [self.rows[r] for r in rows]):
                cells = []
                for i, cell in enumerate(row):
                    if cell == "?" or codes[i] is None:
                        cells.append(cell)
                    else:
                        last = i == len(codes) - 1
                        cells.append(("k%d" if last else "l%d") % codes[i][cell])
                out.write(",".join(cells) + "\n")


def built_in(build, name, folder):
    """A built-in table with the features that a tree uses, or None when it has no class."""
    done = subprocess.run([os.path.join(build, "cairn"), "fit", "tree", name, "--preset", "c4.5",
                           "--prune", "none", "--format", "json"], capture_output=True, text=True)
    if done.returncode:
        return None
    values = json.loads(done.stdout)["values"]
    if values.get("model.task") != "classification":
        return None
    used = [k[4:].replace("\\.", ".") for k in values if k.startswith("use.")]
    path = os.path.join(folder, "built-in.arff")
    run([os.path.join(build, "cairn"), "convert", name, path, "--quiet"])
    names, levels, rows = read_arff(path)
    kept = [names.index(c) for c in used + [values["model.target"]]]
    if any(levels[c] == "text" for c in kept):
        return None
    if levels[kept[-1]] is None:  # numbers that are taken as classes
        levels[kept[-1]] = list(dict.fromkeys(row[kept[-1]] for row in rows))
    return Table([levels[c] for c in kept], [[row[c] for c in kept] for row in rows
                                             if row[kept[-1]] != "?"])


def read_arff(path):
    names, levels, rows = [], [], []
    with open(path) as lines:
        for line in lines:
            line = line.rstrip("\n")
            found = re.match(r"@attribute ('(?:[^'\\]|\\.)*'|\S+) (.*)$", line)
            if found:
                names.append(found.group(1).strip("'"))
                kind = found.group(2)
                levels.append(split_cells(kind[1:-1]) if kind.startswith("{") else
                              None if kind == "numeric" else "text")
            elif line and not line.startswith("@"):
                rows.append(split_cells(line))
    return names, levels, rows


def split_cells(text):
    return next(csv.reader([text], quotechar="'", escapechar="\\", skipinitialspace=True))


def read_csv(path):
    source = path
    if path.endswith(".zst"):
        source = io.StringIO(run(["zstd", "-dc", path]))
    return pd.read_csv(source, dtype=str, keep_default_na=False)


def large(paths, left_out, cut, numbers):
    """The rows of all files as one table."""
    table = pd.concat([read_csv(p) for p in paths]).drop(columns=left_out)
    target = table.columns[-1]
    if cut is not None:
        table[target] = np.where(table[target].astype(float) > cut, "above", "below")
    levels = []
    for column in table.columns:
        cells = table[column].where(~table[column].isin(["", "NA"]), "?")
        table[column] = cells
        known = cells[cells != "?"]
        number = column != target and (column in numbers if numbers is not None else
                                       pd.to_numeric(known, errors="coerce").notna().all())
        levels.append(None if number else list(dict.fromkeys(known)))
    return Table(levels, table.to_numpy().tolist())


# -- trees ------------------------------------------------------------------------------------------

class Node:
    def __init__(self):
        self.tests = {}     # ("=", "l0"), ("<=", 2.5) ...: child
        self.column = None
        self.answer = None
        self.counts = {}    # weight of each class, to six digits; of our trees only

    def size(self):
        count, stack = 0, [self]
        while stack:
            node = stack.pop()
            count += 1
            stack += node.tests.values()
        return count


LINE = re.compile(r"^(a\d+) (=|!=|<=|>|in) (.+?):?(?: (k\d+))?$")


def parse(lines):
    """Lines of (depth, "a0 = l1: k0") or a single answer."""
    root = Node()
    if len(lines) == 1:
        root.answer = lines[0][1].partition("  #")[0].lstrip(": ")
        return root
    above = {0: root}
    for depth, text in lines:
        text, _, comment = text.partition("  #")
        found = LINE.match(text)
        if not found:
            sys.exit("cannot read the line: " + text)
        column, relation, value, answer = found.groups()
        value = value.rstrip(":")
        node, child = above[depth], Node()
        child.counts = {k: float(v) for k, v in re.findall(r"(k\d+) ([0-9.e-]+)", comment)}
        node.column = column
        if relation in ("<=", ">"):
            value = float(value)
        node.tests[(relation, value)] = child
        child.answer = answer
        above[depth + 1] = child
    return root


def our_tree(build, folder, options, data="train.arff"):
    model = os.path.join(folder, "model.cairn")
    run([os.path.join(build, "cairn"), "fit", "tree", os.path.join(folder, data), "--target", "class",
         "--preset", "c4.5", "--save", model, "--quiet"] + options)
    text = run([os.path.join(build, "cairn"), "export", model, "--to", "text"])
    lines = []
    for line in text.splitlines():
        depth = (len(line) - len(line.lstrip())) // 4
        lines.append((depth, line.strip()))
    return parse(lines)


def their_tree(folder, options, *more):
    text = run(WEKA + ["-t", os.path.join(folder, "train.arff")] + list(more) + options)
    body = re.search(r"-{10,}\n\n?(.*?)\n\nNumber of Leaves", text, re.S)
    if not body:
        sys.exit("Weka says no tree:\n" + text)
    body = body.group(1)
    lines = []
    for line in body.strip("\n").splitlines():
        depth = line.count("|   ")
        lines.append((depth, re.sub(r" \([0-9./E+]+\)$", "", line.replace("|   ", ""))))
    return parse(lines), text


def show(node, key=None):
    if node.column is None:
        return "answers %s" % node.answer
    return "asks %s: %s" % (node.column, ", ".join("%s %s" % k for k in node.tests))


def same_test(a, b):
    if a[0] != b[0]:
        return False
    if isinstance(a[1], float):
        return abs(a[1] - b[1]) <= 1e-6 + 1e-6 * abs(b[1])
    return a[1] == b[1]


def tied(ours, theirs):
    """Whether the two answers have the same weight of parts of rows; their sums are rounded."""
    a, b = ours.counts.get(ours.answer, 0), ours.counts.get(theirs.answer, 0)
    return a != round(a) and abs(a - b) <= 1e-5 * a


def walk(ours, theirs):
    """Nodes that are the same on the way down, and the first difference in words."""
    equal, first, stack = 0, None, [(ours, theirs, "the root")]
    while stack:
        a, b, where = stack.pop()
        keys_a, keys_b = sorted(a.tests, key=str), sorted(b.tests, key=str)
        same = a.column == b.column and len(keys_a) == len(keys_b) and all(
            same_test(x, y) for x, y in zip(keys_a, keys_b))
        if same and a.column is None and a.answer != b.answer:
            same = tied(a, b)
        if not same:
            first = first or "at %s Cairn %s; Weka %s" % (where, show(a), show(b))
            continue
        equal += 1
        for x, y in zip(keys_a, keys_b):
            stack.append((a.tests[x], b.tests[y], "%s, %s %s %s" % (where, a.column, *y)))
    return equal, first


# -- comparisons ------------------------------------------------------------------------------------

def texts(build, folder, wanted):
    listed = json.loads(run([os.path.join(build, "cairn"), "list", "data", "--format", "json"]))
    names = sorted("@" + k[5:] for k in listed["values"] if k.startswith("data."))
    failed = tables = trees = 0
    for name in names:
        if wanted and name not in wanted:
            continue
        table = built_in(build, name, folder)
        if table is None or len(table.rows) > 1000:
            continue
        table.write(os.path.join(folder, "train.arff"))
        tables += 1
        for way, ours, theirs in WAYS:
            peer, _ = their_tree(folder, theirs)
            mine = our_tree(build, folder, ours)
            _, difference = walk(mine, peer)
            trees += 1
            if difference is None:
                continue
            known = KNOWN.get((name, way))
            failed += known is None
            print("%-20s %-15s %d nodes, Weka %d: %s%s" % (
                name, way, mine.size(), peer.size(), difference,
                "" if known is None else "  KNOWN: " + known), flush=True)
    print("%d tables, %d trees, %d differ" % (tables, trees, failed))
    return failed


def accuracy(build, folder, data):
    text = run([os.path.join(build, "cairn"), "evaluate", os.path.join(folder, "model.cairn"),
                os.path.join(folder, data), "--format", "json"])
    return json.loads(text)["values"]["accuracy"]


def larger(build, folder, data, wanted):
    failed = 0
    for name, left_out, cut in LARGE:
        path = os.path.join(data, name)
        if not os.path.exists(path) or wanted and not any(name.startswith(w) for w in wanted):
            continue
        tested = path.replace("train", "test")
        table = large(dict.fromkeys([path, tested]), left_out, cut, NUMBERS.get(name))
        order = np.random.default_rng(3).permutation(len(table.rows))
        at = len(order) * 2 // 3
        if tested != path:  # the rows to test with have a file of their own
            order = np.arange(len(table.rows))
            at = len(read_csv(path))
        for way, ours, theirs in WAYS[:2]:
            if compare_large(build, folder, name, table, order, at, way, ours, theirs):
                failed += compare_large(build, folder, "  times 1,000,000", table.widened(), order, at,
                                        way, ours, theirs)
    return failed


def compare_large(build, folder, name, table, order, at, way, ours, theirs):
    """One line about a larger data set; whether the trees differ."""
    table.write(os.path.join(folder, "train.arff"), order[:at])
    table.write(os.path.join(folder, "test.arff"), order[at:])
    mine = our_tree(build, folder, ours)
    said = accuracy(build, folder, "test.arff")
    peer, text = their_tree(folder, theirs, "-T", os.path.join(folder, "test.arff"))
    share = re.findall(r"Correctly Classified Instances +\d+ +([0-9.]+)", text)[-1]
    equal, difference = walk(mine, peer)
    print("%-20s %-9s accuracy %.4f, Weka %.4f; %d nodes, Weka %d, %d the same%s" % (
        name, way, said, float(share) / 100, mine.size(), peer.size(), equal,
        "" if difference is None else "; " + difference), flush=True)
    return difference is not None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--data", help="folder of the larger data sets")
    parser.add_argument("tables", nargs="*", help="@names and beginnings of file names; all if none")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        if not options.tables or any(t.startswith("@") for t in options.tables):
            failed = texts(options.build, folder, options.tables)
        if options.data:
            failed += larger(options.build, folder, options.data, options.tables)
    sys.exit(1 if failed else 0)


main()

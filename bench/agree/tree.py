#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The tree of the preset cart against scikit-learn's, split by split, on the data sets of a folder.

Both trees are walked together from the root, with the rows that reach each node. Two splits are equal
when they divide the rows alike at cuts that are midpoints of the same two values (scikit-learn keeps
cells as 32-bit floats, so its midpoints are rounded). Every other pair is put into one class:

  tie       both splits lower the impurity by the same amount: to 1e-12 of it, in exact arithmetic, or
            by less than the 1e-12 below which Cairn says that scores are equal. scikit-learn looks at
            the columns in random order and takes the first, Cairn takes the first column.
  rounding  ours lowers the impurity more, in exact arithmetic, but by less than the rounding error of
            the peer's sums; or the peer divides a node in which all targets are equal, or does not
            make a split that changes nothing because its own sums make it a little worse than that.
  float32   ours lowers the impurity more, but its two values are the same 32-bit float (or less than
            1e-7 apart, where scikit-learn does not cut).
  class     a leaf in which several classes are equally frequent: scikit-learn answers the first one of
            the alphabet, Cairn the one whose first row comes first.
  other     everything else: must not be.

Where the two divide the rows otherwise for a tie, the nodes below cannot be compared. So the choice of
the peer is given to Cairn (--given, with "..." where it is to grow on), the tree is grown again, and
so on until both trees have been walked to the leaves. Then the predictions must be equal on all rows,
also on a fifth of the rows that was held out; before, on the rows without such a node on their way.

--build DIR --data DIR [beginnings of data set names]; data sets that are not there are left out. Exit 0
when nothing is in the class other."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

import mpmath
import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

# file, target (the last column if not given), classes or numbers, weights
SETS = [("iris.csv", None, True, None), ("wine.csv", None, True, None),
        ("breast_cancer.csv", None, True, None), ("digits.csv", None, True, None),
        ("letter.csv", None, True, None), ("spambase.csv", None, True, None),
        ("mammography.csv", None, True, None), ("covtype_10k.csv", None, True, None),
        ("diabetes.csv", None, False, None), ("california_housing.csv", None, False, None),
        ("diamonds.csv", None, False, None), ("wine.csv", None, True, "whole"),
        ("breast_cancer.csv", None, True, "fractions"), ("diabetes.csv", None, False, "fractions")]
# name, options of ours, options of theirs; {rows} is the weight of all rows
LIMITS = [("to purity", "", {}),
          ("depth 4", "--max-depth 4", {"max_depth": 4}),
          ("depth 8, leaves of 20", "--max-depth 8 --min-leaf 20",
           {"max_depth": 8, "min_samples_leaf": 20}),
          ("leaves of 5", "--min-leaf 5", {"min_samples_leaf": 5}),
          ("nodes of 50", "--min-rows 50", {"min_samples_split": 50}),
          ("drop of 0.001", "--min-drop {drop}", {"min_impurity_decrease": 0.001}),
          ("20 leaves", "--max-leaves 20", {"max_leaf_nodes": 20}),
          ("entropy", "--impurity entropy", {"criterion": "entropy"}),
          ("pruned", "--prune cost-complexity --alpha {alpha}", {"ccp_alpha": 0.002})]
COUNTED = ("tie", "rounding", "float32", "class", "other")
mpmath.mp.dps = 60


class Data:
    """Rows to learn from and rows held out; columns are named c0, c1, ..."""

    def __init__(self, path, target, classes, weights):
        table = pd.read_csv(path, float_precision="round_trip").dropna()
        target = target or table.columns[-1]
        kept = [c for c in table.columns if c != target and table[c].dtype.kind in "if"]
        order = np.random.default_rng(7).permutation(len(table))
        self.x = table[kept].to_numpy(float)[order]
        self.single = self.x.astype(np.float32)
        self.y = table[target].to_numpy()[order]
        self.classes = classes
        if classes:
            self.y = np.array([str(v).strip("'") for v in self.y])
        self.cut = len(order) * 4 // 5
        generator = np.random.default_rng(8)
        self.w = None
        if weights == "whole":
            self.w = generator.integers(1, 5, len(order)).astype(float)
        elif weights == "fractions":
            self.w = generator.uniform(0.2, 3, len(order))

    def write(self, train, test):
        table = pd.DataFrame(self.x, columns=["c%d" % i for i in range(self.x.shape[1])])
        if self.w is not None:
            table["weight"] = self.w
        table["target"] = ["k" + v for v in self.y] if self.classes else self.y
        table[:self.cut].to_csv(train, index=False)
        table[self.cut:].to_csv(test, index=False)

    def weight(self, rows):
        return np.ones(len(rows)) if self.w is None else self.w[rows]


# -- scores, exact ----------------------------------------------------------------------------------

def exact_sum(values):
    """Sum of doubles without rounding."""
    whole = values.astype(np.int64)
    if (whole == values).all() and np.abs(values).sum() < 2 ** 62:
        return Fraction(int(whole.sum()))
    return sum(map(Fraction, values.tolist()), Fraction(0))


def measure(data, rows, criterion):
    """What a part adds to the measure of a split: the larger, the purer the part."""
    w = data.weight(rows)
    n = exact_sum(w)
    if not data.classes:
        if data.w is None:
            total = exact_sum(data.y[rows].astype(float))
        else:
            total = sum((Fraction(a) * Fraction(b) for a, b in
                         zip(w.tolist(), data.y[rows].astype(float).tolist())), Fraction(0))
        return total * total / n
    counts = [exact_sum(w[data.y[rows] == c]) for c in np.unique(data.y[rows])]
    if criterion == "entropy":
        def part(count):
            count = mpmath.mpf(count.numerator) / count.denominator
            return count * mpmath.log(count, 2)
        return sum(map(part, counts), mpmath.mpf(0)) - part(n)
    return sum(c * c for c in counts) / n


def drop(data, rows, left, criterion):
    """How much a split lowers impurity times weight, and the size of the measures it comes from."""
    parts = measure(data, rows[left], criterion) + measure(data, rows[~left], criterion)
    whole = measure(data, rows, criterion)
    return parts - whole, abs(parts)


# -- the two trees ----------------------------------------------------------------------------------

class Node:
    """A split (column, cut, left, right) or a leaf (answer)."""

    def __init__(self, column=-1, cut=None, answer=None):
        self.column, self.cut, self.answer = column, cut, answer
        self.left = self.right = None
        self.id = -1


LINE = re.compile(r"^( *)c(\d+) (<=|>) (\S+):(?: (\S+))?  #")


def parse(text):
    """The tree that `cairn export --to text` has written."""
    lines = text.splitlines()
    if len(lines) == 1:
        return Node(answer=lines[0].split("  #")[0])
    root, open_nodes = Node(), {}
    open_nodes[0] = root
    for line in lines:
        found = LINE.match(line)
        depth = len(found.group(1)) // 4
        node, child = open_nodes[depth], Node(answer=found.group(5))
        node.column, node.cut = int(found.group(2)), float(found.group(4))
        if found.group(3) == "<=":
            node.left = child
        else:
            node.right = child
        open_nodes[depth + 1] = child
    return root


def peer_tree(fitted, data):
    """scikit-learn's tree in the same form."""
    t = fitted.tree_
    nodes = []
    for i in range(t.node_count):
        if t.children_left[i] < 0:
            value = t.value[i].ravel()
            nodes.append(Node(answer="k" + fitted.classes_[value.argmax()] if data.classes else
                              repr(float(value[0]))))
        else:
            nodes.append(Node(int(t.feature[i]), float(t.threshold[i])))
        nodes[-1].id = i
    for i in range(t.node_count):
        if t.children_left[i] >= 0:
            nodes[i].left, nodes[i].right = nodes[t.children_left[i]], nodes[t.children_right[i]]
    return nodes[0]


def write_given(root, forced, data):
    """Text of the peer's tree down to the nodes whose choice is given; the rest grows by itself."""
    needed = {}

    def mark(node):  # children before parents, without recursion
        order, stack = [], [node]
        while stack:
            node = stack.pop()
            order.append(node)
            if node.left:
                stack += [node.left, node.right]
        for node in reversed(order):
            needed[node.id] = node.id in forced or (
                node.left is not None and (needed[node.left.id] or needed[node.right.id]))

    mark(root)
    lines, stack = [], [(root, np.arange(data.cut), 0, "")]
    while stack:
        node, rows, depth, line = stack.pop()
        if not needed[node.id]:
            lines.append(line + ": ...")
            continue
        if line:
            lines.append(line + ":")
        left = data.single[rows, node.column] <= node.cut
        cells = data.x[rows, node.column]
        cut = between(cells[left].max(), cells[~left].min())
        test = "    " * depth + "c%d " % node.column
        stack.append((node.right, rows[~left], depth + 1, test + "> " + cut))
        stack.append((node.left, rows[left], depth + 1, test + "<= " + cut))
    return "\n".join(lines) + "\n"


def between(a, b):
    middle = a / 2 + b / 2
    return repr(float(middle if middle < b else a))


# -- the walk ---------------------------------------------------------------------------------------

class Walk:
    def __init__(self, data, criterion):
        self.data, self.criterion = data, criterion
        self.seen = dict.fromkeys(COUNTED, 0)
        self.nodes = self.equal = 0
        self.forced = {}      # node of the peer: class of the difference
        self.excused = set()  # leaves of the peer below which answers may differ
        self.messages = []

    def other(self, what, rows):
        self.seen["other"] += 1
        self.messages.append("    %s (%d rows)" % (what, len(rows)))

    def leaves(self, ours, theirs, rows):
        if not self.data.classes:
            a, b = float(ours.answer), float(theirs.answer)
            if abs(a - b) > 1e-9 * max(abs(b), np.abs(self.data.y[rows]).max()):
                return self.other("leaf answers %r and %r" % (a, b), rows)
        elif ours.answer != theirs.answer:
            w = self.data.weight(rows)
            a, b = (exact_sum(w[self.data.y[rows] == c.answer[1:]]) for c in (ours, theirs))
            if abs(a - b) > Fraction(1e-12) * b:
                return self.other("leaf answers %s and %s" % (ours.answer, theirs.answer), rows)
            self.seen["class"] += 1
            self.excused.add(theirs.id)
            return None
        self.equal += 1
        return None

    def can_cut(self, rows, column, low=None, high=None):
        """Whether scikit-learn may cut between two cells (or anywhere in the column)."""
        cells = self.data.single[rows, column]
        low = cells.min() if low is None else np.float32(low)
        high = cells.max() if high is None else np.float32(high)
        return high > low + np.float32(1e-7)

    def pure(self, rows):
        return (self.data.y[rows] == self.data.y[rows[0]]).all()

    def gains_nothing(self, node, rows):
        mine = self.data.x[rows, node.column] <= node.cut
        gain, size = drop(self.data, rows, mine, self.criterion)
        return gain <= 1e-14 * size

    def leaf_and_split(self, ours, theirs, rows):
        """One of the two is a leaf."""
        if ours.left is None and self.pure(rows):
            self.seen["rounding"] += 1
        elif theirs.left is None and not any(self.can_cut(rows, c)
                                             for c in range(self.data.x.shape[1])):
            self.seen["float32"] += 1
            self.excused.add(theirs.id)
        elif theirs.left is None and self.gains_nothing(ours, rows):
            self.seen["rounding"] += 1
            self.excused.add(theirs.id)
        else:
            self.excused.add(theirs.id)
            self.other("%s splits, the other does not" % (
                "scikit-learn" if ours.left is None else "Cairn"), rows)

    def judge(self, ours, theirs, rows, mine, its):
        """The class of two splits that are not the same."""
        a, size = drop(self.data, rows, mine, self.criterion)
        b, _ = drop(self.data, rows, its, self.criterion)
        cells = self.data.x[rows, ours.column]
        unit = exact_sum(self.data.weight(rows))
        if not self.data.classes:
            unit *= Fraction(float(self.data.y[:self.data.cut].var()))
        if abs(a - b) <= 1e-12 * abs(b) or abs(a - b) <= 1e-12 * unit:
            return "tie"
        if a > b and a - b <= 1e-11 * size:
            return "rounding"
        if a > b and not self.can_cut(rows, ours.column, cells[mine].max(), cells[~mine].min()):
            return "float32"
        self.other("c%d <= %r lowers by %.17g, c%d <= %r by %.17g" % (
            ours.column, ours.cut, a, theirs.column, theirs.cut, b), rows)
        return "other"

    def same_cut(self, ours, theirs, rows, mine):
        """Both cuts at the middle of the same two values, up to rounding."""
        cells = self.data.x[rows, ours.column]
        low, high = cells[mine].max(), cells[~mine].min()
        middle = low / 2 + high / 2
        size = max(abs(low), abs(high))
        return (low <= ours.cut < high and abs(ours.cut - middle) <= 1e-11 * size and
                abs(theirs.cut - middle) <= 2e-7 * size + 1e-45)

    def pair(self, ours, theirs, rows):
        """Compare two nodes; give the pairs below that can be compared."""
        self.nodes += 1
        if ours.left is None and theirs.left is None:
            self.leaves(ours, theirs, rows)
            return []
        if ours.left is None or theirs.left is None:
            self.leaf_and_split(ours, theirs, rows)
            return []
        mine = self.data.x[rows, ours.column] <= ours.cut
        its = self.data.single[rows, theirs.column] <= theirs.cut
        if (mine == its).all() or (mine != its).all():
            below = [(ours.left, theirs.left), (ours.right, theirs.right)]
            if (mine != its).all():
                below = [(ours.right, theirs.left), (ours.left, theirs.right)]
            if ours.column != theirs.column:
                self.forced[theirs.id] = "tie"  # the same two parts by another column
            elif self.same_cut(ours, theirs, rows, mine):
                self.equal += 1
            else:
                self.other("cuts of c%d at %r and %r" % (ours.column, ours.cut, theirs.cut), rows)
            return [(*below[0], rows[its]), (*below[1], rows[~its])]
        self.forced[theirs.id] = self.judge(ours, theirs, rows, mine, its)
        return []

    def all(self, ours, theirs):
        stack = [(ours, theirs, np.arange(self.data.cut))]
        while stack:
            stack += self.pair(*stack.pop())


# -- a comparison -----------------------------------------------------------------------------------

def cairn(build, *arguments):
    done = subprocess.run([os.path.join(build, "cairn")] + list(arguments), capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit("cairn %s\n%s" % (" ".join(arguments), done.stderr))
    return done.stdout


def predictions(build, folder, data):
    """Of the rows to learn from and those held out, in order."""
    said = []
    for part in ("train.csv", "test.csv"):
        text = cairn(build, "predict", os.path.join(folder, "model.cairn"),
                     os.path.join(folder, part), "--quiet")
        said += [line.split(",")[0] for line in text.splitlines()[1:]]
    return np.array([s[1:] for s in said]) if data.classes else np.array(said, float)


def equal_answers(data, said, peer_said):
    if data.classes:
        return said == peer_said
    return np.abs(said - peer_said) <= 1e-9 * np.abs(data.y).max()


def grow(build, folder, data, options, given):
    model = os.path.join(folder, "model.cairn")
    command = ["fit", "tree", os.path.join(folder, "train.csv"), "--target", "target", "--task",
               "classify" if data.classes else "regress", "--preset", "cart", "--save", model,
               "--quiet"] + options
    if "--prune" not in options:
        command += ["--prune", "none"]
    if data.w is not None:
        command += ["--weight", "weight"]
    if given:
        command += ["--given", given]
    cairn(build, *command)
    return parse(cairn(build, "export", model, "--to", "text"))


def rows_with(fitted, data, nodes):
    """Rows on whose way one of these nodes of the peer stands."""
    if not nodes:
        return np.zeros(len(data.x), bool)
    path = fitted.decision_path(data.single)
    return np.asarray(path[:, sorted(nodes)].sum(axis=1)).ravel() > 0


def near_cut(fitted, data, row):
    """Whether a cell of the row is as near to a cut of the peer as a 32-bit float is exact."""
    t, at = fitted.tree_, 0
    while t.children_left[at] >= 0:
        cell = data.x[row, t.feature[at]]
        if abs(cell - t.threshold[at]) <= 2e-7 * abs(cell):
            return True
        left = data.single[row, t.feature[at]] <= t.threshold[at]
        at = (t.children_left if left else t.children_right)[at]
    return False


def check_answers(build, folder, fitted, data, walk):
    """Predictions must be equal but for rows on whose way the walk has seen a difference. Give the
    number of rows that were compared and of held-out rows that 32-bit cells put on another side."""
    said, peer_said = predictions(build, folder, data), fitted.predict(data.x)
    compared = ~rows_with(fitted, data, set(walk.forced) | walk.excused)
    if data.classes:
        unequal = said != peer_said
    else:
        unequal = np.abs(said - peer_said) > 1e-9 * np.abs(data.y).max()
    wrong = np.flatnonzero(unequal & compared)
    near = [row for row in wrong if row >= data.cut and near_cut(fitted, data, row)]
    if len(wrong) > len(near):
        walk.other("%d predictions differ" % (len(wrong) - len(near)), wrong)
    return compared.sum(), len(near)


def compare(build, folder, data, options, peer_options):
    """Grow and walk until no node is left that differs for a tie. Give the counts."""
    weights = data.w[:data.cut] if data.w is not None else None
    make = DecisionTreeClassifier if data.classes else DecisionTreeRegressor
    fitted = make(random_state=1, **peer_options).fit(data.x[:data.cut], data.y[:data.cut],
                                                      sample_weight=weights)
    theirs, forced, given = peer_tree(fitted, data), {}, None
    counts = dict.fromkeys(COUNTED, 0)
    counts.update(rounds=0, messages=[])
    while True:
        walk = Walk(data, peer_options.get("criterion", "gini"))
        walk.all(grow(build, folder, data, options, given), theirs)
        rows, near = check_answers(build, folder, fitted, data, walk)
        if not forced:
            counts["free"] = rows
        counts["rounds"] += 1
        counts["messages"] += walk.messages
        new = {node: kind for node, kind in walk.forced.items() if node not in forced}
        if not new:
            break
        forced.update(new)
        given = os.path.join(folder, "given.txt")
        with open(given, "w") as out:
            out.write(write_given(theirs, forced, data))
    for kind in COUNTED:
        counts[kind] += walk.seen[kind]
    for kind in forced.values():
        counts[kind] += 1
    counts["other"] = len(counts["messages"])
    counts.update(nodes=walk.nodes, equal=walk.equal - len(forced), rows=rows, near=near)
    return counts


def run(build, folder, data, wanted):
    failed = 0
    for name, options, peer_options in LIMITS:
        if wanted and name not in wanted:
            continue
        if not data.classes and "criterion" in peer_options:
            continue
        if data.w is not None and re.search("min-leaf|min-rows", options):
            continue  # the peer counts rows there, Cairn weights
        if data.classes and "ccp_alpha" in peer_options:
            continue  # the peer prunes by Gini there, Cairn by errors
        y = data.y[:data.cut]
        spread = 1 if data.classes else y.astype(float).var()
        weight = data.cut if data.w is None else data.w[:data.cut].sum()
        if "min_impurity_decrease" in peer_options or "ccp_alpha" in peer_options:
            key = next(iter(peer_options))
            peer_options = {key: peer_options[key] * spread}
            options = options.format(drop=repr(0.001 * spread * weight), alpha=repr(0.002 * spread))
        c = compare(build, folder, data, options.split(), peer_options)
        print("  %-21s %6d nodes: %6d equal, %5d ties, %2d rounding, %d float32, %2d class, "
              "%d other; %d rounds; answers: %d of %d rows at once, then %d, %d near cuts" % (
                  name, c["nodes"], c["equal"], c["tie"], c["rounding"], c["float32"], c["class"],
                  c["other"], c["rounds"], c["free"], len(data.x), c["rows"], c["near"]), flush=True)
        for message in c["messages"][:10]:
            print(message)
        failed += c["other"]
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--data", required=True)
    parser.add_argument("--limit", action="append", help="only this way to limit the trees")
    parser.add_argument("sets", nargs="*", help="beginnings of file names; all when none is given")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, target, classes, weights in SETS:
            path = os.path.join(options.data, name)
            wanted = not options.sets or any(name.startswith(s) for s in options.sets)
            if not wanted or not os.path.exists(path):
                continue
            data = Data(path, target, classes, weights)
            print("%s: %d rows, %d columns%s" % (name, data.cut, data.x.shape[1],
                                                 ", weights" if weights else ""), flush=True)
            data.write(os.path.join(folder, "train.csv"), os.path.join(folder, "test.csv"))
            failed += run(options.build, folder, data, options.limit)
    sys.exit("%d differences" % failed if failed else 0)


main()

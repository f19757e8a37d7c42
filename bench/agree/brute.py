#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random small tables against brute force: every case is worked out here from its definition.

    splits    gain, gain ratio, Gini and chi-squared of every column, number columns by all their cuts
    macro     means over classes of precision, recall and F, with classes that nobody predicts
    regions   rules written by hand against every combination of levels: rules that fire, rows, verdicts
    ties      the column that a tree takes first: copies under other names are equal within 1e-12

Usage: bench/agree/brute.py [BUILD] [--cases N] [NAME ...]; exit 0 when all agree."""
import argparse, itertools, json, math, os, random, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

def run(folder, *words):
    done = subprocess.run([CAIRN, *words, "--format", "json", "--quiet", "--threads", "1"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise ValueError("exit %d: %s" % (done.returncode, done.stderr))
    return json.loads(done.stdout)["values"]

def write(folder, names, rows):
    with open(os.path.join(folder, "t.csv"), "w") as file:
        for row in [names, *rows]:
            file.write(",".join(str(cell) for cell in row) + "\n")

def near(a, b, tolerance=1e-9):
    if a is None or b is None:
        return a is None and b is None
    return abs(a - b) <= tolerance * max(1, abs(b))

# -- what a split is worth --

def entropy(counts):
    n = sum(counts)
    return -math.fsum(c / n * math.log2(c / n) for c in counts if c)

def gini(counts):
    n = sum(counts)
    return 1 - math.fsum((c / n) ** 2 for c in counts)

def score(parts, classes):
    """The measures of a split; parts are lists of classes."""
    n = sum(map(len, parts))
    tables = [[part.count(k) for k in classes] for part in parts if part]
    whole = [sum(column) for column in zip(*tables)]
    mean = lambda f: math.fsum(sum(t) / n * f(t) for t in tables)
    gain, info = entropy(whole) - mean(entropy), entropy([sum(t) for t in tables])
    chi = math.fsum((t[k] - sum(t) * whole[k] / n) ** 2 / (sum(t) * whole[k] / n)
                    for t in tables for k in range(len(classes)) if whole[k])
    return {"gain": gain, "gain_ratio": gain / info if info > 1e-12 else 0,
            "gini_after": mean(gini), "gini_reduction": gini(whole) - mean(gini), "chi_squared": chi}

def splits_of(column, target):
    """All splits of a column: one part per level, or every cut between two numbers."""
    if isinstance(column[0], str):
        return [[[y for x, y in zip(column, target) if x == level] for level in sorted(set(column))]]
    values = sorted(set(column))
    return [[[y for x, y in zip(column, target) if x <= cut], [y for x, y in zip(column, target) if x > cut]]
            for cut in values[:-1]]

def random_columns(draw, n):
    columns = {}
    for j in range(draw.randint(2, 4)):
        if draw.random() < 0.35:
            columns["n%d" % j] = [draw.randint(0, 5) + 0.5 for _ in range(n)]
        else:
            columns["c%d" % j] = [draw.choice("uvwx"[:draw.randint(1, 4)]) for _ in range(n)]
    return columns

def random_table(draw, folder):
    n = draw.randint(4, 14)
    columns = random_columns(draw, n)
    target = ["k1", "k2"] + [draw.choice(["k1", "k2", "k3"][:draw.randint(2, 3)]) for _ in range(n - 2)]
    write(folder, [*columns, "y"], zip(*columns.values(), target))
    return columns, target

def splits(draw, folder):
    columns, target = random_table(draw, folder)
    classes = sorted(set(target))
    # columns of few numbers may be read as what they are: numbers, with halves in them
    values = run(folder, "compute", "split", "t.csv", "--target", "y")
    for name, column in columns.items():
        scored = [score(parts, classes) for parts in splits_of(column, target)]
        if not scored or len(set(column)) < 2:
            continue
        top = max(s["gain"] for s in scored)
        best = [s for s in scored if near(s["gain"], top)]
        for measure in best[0]:
            found = values["%s.%s" % (measure, name)]
            if not any(near(found, s[measure]) for s in best):
                return "%s of %s is %r, not %r" % (measure, name, found, best[0][measure])
    return None

# -- means over classes --

def ratio(a, b):
    return a / b if b else None

def macro(draw, folder):
    k = draw.randint(3, 5)
    table = [[draw.choice([0, 0, 1, 2, 3, 7]) for _ in range(k)] for _ in range(k)]
    for i in range(k):
        table[i][draw.randrange(k)] += 1  # every class has a row
    names = ["c%d" % i for i in range(k)]
    values = run(folder, "compute", "confusion", "--table", ";".join(",".join(map(str, r)) for r in table),
                 "--classes", ",".join(names))
    actual, predicted = [sum(r) for r in table], [sum(c) for c in zip(*table)]
    right, n = [table[i][i] for i in range(k)], sum(map(sum, table))
    precision = [ratio(right[i], predicted[i]) for i in range(k)]
    recall = [ratio(right[i], actual[i]) for i in range(k)]
    f = [2 * right[i] / (actual[i] + predicted[i]) for i in range(k)]
    counted = [p or 0 for p in precision]
    chance = sum(a * p for a, p in zip(actual, predicted)) / n / n
    wanted = {"precision": sum(counted) / k, "recall": sum(recall) / k, "f": sum(f) / k,
              "weighted.precision": sum(a * p for a, p in zip(actual, counted)) / n,
              "weighted.recall": sum(right) / n, "weighted.f": sum(a * x for a, x in zip(actual, f)) / n,
              "accuracy": sum(right) / n, "kappa": ratio(sum(right) / n - chance, 1 - chance)}
    for i, name in enumerate(names):
        wanted.update({"precision." + name: precision[i], "recall." + name: recall[i], "f." + name: f[i]})
    for name, number in wanted.items():
        if not near(values[name], number):
            return "%s of %r is %r, not %r" % (name, table, values[name], number)
    return None

# -- regions of rules --

def regions(draw, folder):
    n, levels = draw.randint(3, 12), {"a": "uvw", "b": "xz", "c": "pqr"}
    rows = [{name: draw.choice(words) for name, words in levels.items()} for _ in range(n)]
    for name, words in levels.items():  # every level occurs, in order
        for i, word in enumerate(words[:n]):
            rows[i][name] = word
    target = ["yes", "no"] + [draw.choice(["yes", "no"]) for _ in range(n - 2)]
    write(folder, [*levels, "y"], [[*row.values(), y] for row, y in zip(rows, target)])
    rules = []
    for _ in range(draw.randint(1, 4)):
        used = draw.sample(list(levels), draw.randint(1, 2))
        rules.append(({name: draw.choice(levels[name]) for name in used}, draw.choice(["yes", "no"])))
    with open(os.path.join(folder, "rules.txt"), "w") as file:
        for conditions, answer in rules:
            file.write("if %s then %s\n" % (" & ".join("%s = %s" % c for c in conditions.items()), answer))
    values = run(folder, "fit", "rule-set", "t.csv", "--target", "y", "--given", "rules.txt")
    fires = lambda rule, row: all(row[name] == word for name, word in rule[0].items())
    used = [name for name in levels if any(name in rule[0] for rule in rules)]
    seen, conflicts, gaps = set(), 0, 0
    for combination in itertools.product(*(levels[name] for name in used)):
        where = dict(zip(used, combination))
        fired = [chr(65 + i) for i, rule in enumerate(rules) if fires(rule, where)]
        answers = {rules[ord(f) - 65][1] for f in fired}
        count = sum(all(row[name] == word for name, word in where.items()) for row in rows)
        verdict = "rules contradict" if len(answers) > 1 else "" if fired else "no rule fires"
        conflicts, gaps = conflicts + (len(answers) > 1), gaps + (not fired)
        found = [i for i in range(1, 100) if "region%d.where" % i in values and dict(
            part.split(" = ") for part in values["region%d.where" % i].split(" & ")) == where]
        if len(found) != 1:
            return "%r is a region %d times, rules %r" % (where, len(found), rules)
        i = found[0]
        seen.add(i)
        if (values["region%d.rows" % i], values["region%d.verdict" % i]) != (count, verdict):
            return "region %r: %r rows, '%s', not %d, '%s'" % (
                where, values["region%d.rows" % i], values["region%d.verdict" % i], count, verdict)
        if re.findall("[A-D]", values["region%d.rules" % i]) != fired:
            return "region %r: rules %s, not %r" % (where, values["region%d.rules" % i], fired)
    if sum("region%d.where" % i in values for i in range(1, 200)) != len(seen):
        return "more regions than combinations: %r" % rules
    if (values["conflicts"], values["gaps"]) != (conflicts, gaps):
        return "conflicts and gaps %r, not %r" % ((values["conflicts"], values["gaps"]), (conflicts, gaps))
    return None

# -- ties --

def disguise(draw, column):
    """A column that splits the rows alike: other names, or another monotone scale, falling or rising."""
    if isinstance(column[0], str):
        words = draw.sample(["aa", "bb", "cc", "dd"], 4)
        return [words["uvwx".index(x)] for x in column]
    slope, offset = draw.choice([-3, 7, 0.1, 1e-3]), draw.choice([0, 100.25, -3])
    return [slope * x + offset for x in column]

def ties(draw, folder):
    n = draw.randint(4, 14)
    columns = random_columns(draw, n)
    target = ["k1", "k2"] + [draw.choice(["k1", "k2", "k3"]) for _ in range(n - 2)]
    copies = {name + "_copy": disguise(draw, column) for name, column in columns.items()}
    every = list({**columns, **copies}.items())
    draw.shuffle(every)
    write(folder, [name for name, _ in every] + ["y"], zip(*(column for _, column in every), target))
    classes = sorted(set(target))
    gains = {name: max((score(parts, classes)["gain"] for parts in splits_of(column, target)), default=0)
             for name, column in every}
    top = max(gains.values())
    if top < 1e-9 or any(1e-12 < (top - g) / top < 1e-8 for g in gains.values()):
        return None
    wanted = next(name for name, _ in every if gains[name] >= top * (1 - 1e-9))
    values = run(folder, "fit", "tree", "t.csv", "--target", "y", "--impurity", "entropy", "--preset", "full",
                 "--max-depth", "1", "--steps")
    if values.get("node1.chosen", wanted) != wanted:
        return "%s is taken, not %s: %r" % (values["node1.chosen"], wanted, gains)
    return None

def trial(job):
    check, seed = job
    with tempfile.TemporaryDirectory() as folder:
        try:
            return seed, check(random.Random(seed), folder)
        except (ValueError, KeyError) as failure:
            return seed, "%s: %s" % (type(failure).__name__, failure)

CHECKS = {"splits": splits, "macro": macro, "regions": regions, "ties": ties}
parser = argparse.ArgumentParser()
parser.add_argument("build", nargs="?", default="build")
parser.add_argument("names", nargs="*")
parser.add_argument("--cases", type=int, default=2000)
options = parser.parse_args()
CAIRN = os.path.abspath(os.path.join(options.build, "cairn"))
bad = 0
for name in options.names or CHECKS:
    with ThreadPoolExecutor(2) as pool:
        found = [(seed, wrong) for seed, wrong in
                 pool.map(trial, [(CHECKS[name], seed) for seed in range(options.cases)]) if wrong]
    bad += len(found)
    for seed, wrong in found[:5]:
        print("%s, seed %d: %s" % (name, seed, wrong))
    print("%s: %d cases, %d wrong" % (name, options.cases, len(found)), flush=True)
sys.exit(1 if bad else 0)

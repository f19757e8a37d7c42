#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Sorting, distinct rows, groups, the six joins, pivots and unpivots of random small tables against
data.table: the same cells, numbers to 1e-9; the order of rows, too, where both promise one.
Usage: bench/agree/reshape.py [BUILD [CASES]]; exit 0 when all agree."""
import atexit
import collections
import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
CASES = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
KINDS = "a=number,b=number,w=level,v=level"
HOWS = ["inner", "left", "right", "full", "semi", "anti"]
GROUP = ("A=count(x),B=missing(x),C=sum(x),D=mean(x),E=var(x),F=median(x),G=quantile(x,0.3),"
         "H=distinct(x),I=share()")
draw = random.Random(5)


def maybe(value):
    return "" if draw.random() < 0.15 else value


def write(name, head, rows):
    with open(os.path.join(FOLDER, name), "w") as out:
        csv.writer(out, lineterminator="\n").writerows([head] + rows)


def make_tables(i):
    """A table of keys (whole, real, two of levels) and a number; another to join with."""
    rows = [[maybe(draw.randint(-1, 3)), maybe(draw.randint(0, 2) / 4), maybe(draw.choice("pqr")),
             maybe(draw.choice(["up", "down"])), maybe(draw.randint(-4, 9) / 4)]
            for _ in range(draw.randint(1, 25))]
    write("left-%d.csv" % i, ["a", "b", "w", "v", "x"], rows)
    rows = [[maybe(draw.randint(-1, 3)), maybe(draw.randint(0, 2) / 4), maybe(draw.choice("qrs")), k]
            for k in range(draw.randint(1, 12))]
    write("right-%d.csv" % i, ["a", "b", "w", "y"], rows)


def make_case(i):
    """The step, its columns, and the words of the command."""
    step = draw.choice(["sort", "distinct", "group", "join", "join", "pivot", "unpivot"])
    keys = draw.sample(["a", "b", "w"], draw.randint(1, 3))
    signs = [draw.choice([1, -1]) for _ in keys]
    how, apart = draw.choice(HOWS), draw.random() < 0.5
    words = {
        "sort": ["--sort", ",".join("-" * (s < 0) + k for k, s in zip(keys, signs))],
        "distinct": ["--distinct-by", ",".join(keys)],
        "group": ["--group-by", ",".join(keys), "--aggregate", GROUP],
        "join": ["--join", "right-%d.csv" % i, "--on", ",".join(keys), "--how", how,
                 "--join-kinds", KINDS.rsplit(",", 1)[0]] + ["--match-missing"] * (not apart),
        "pivot": ["--pivot", "v", "--group-by", ",".join(keys), "--aggregate", "sum(x)"],
        "unpivot": ["--unpivot", "x,b"],
    }[step]
    case = [i, step, ",".join(keys), ",".join(map(str, signs)), how, int(apart)]
    return case, ["convert", "left-%d.csv" % i, "ours.csv", "--kinds", KINDS + ",x=number", *words]


def plain(cell):
    try:
        return float(cell) + 0.0
    except ValueError:
        return "" if cell == "NaN" else cell


def read(name):
    """Rows as lists of cells in the order of the names, and the names."""
    with open(os.path.join(FOLDER, name)) as file:
        rows = list(csv.DictReader(file))
    names = sorted(rows[0]) if rows else []
    return [names] + [[plain(row[n]) for n in names] for row in rows]


def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-9 * max(1, abs(b))
    return a == b


def agree(ours, theirs):
    return len(ours) == len(theirs) and all(
        len(a) == len(b) and all(map(same, a, b)) for a, b in zip(ours, theirs))


def main():
    cases, made = [], []
    for i in range(CASES):
        make_tables(i)
        case, words = make_case(i)
        done = subprocess.run([CAIRN, *words, "--quiet"], capture_output=True, text=True, cwd=FOLDER)
        if done.returncode:
            sys.exit("failed: cairn %s\n%s" % (" ".join(words), done.stderr))
        cases.append(case)
        made.append((words, read("ours.csv")))
    write("cases.csv", ["table", "step", "keys", "signs", "how", "apart"], cases)
    subprocess.run(["Rscript", "--vanilla", os.path.join(HERE, "..", "peers", "reshape_cases.R"),
                    FOLDER], check=True)
    failures, compared = 0, collections.Counter()
    for i, (words, ours) in enumerate(made):
        step, how = cases[i][1], cases[i][4]
        theirs = read("theirs-%d.csv" % (i + 1))
        if step in ("pivot", "unpivot") or (step == "join" and how in ("right", "full")):
            ours, theirs = sorted(ours, key=str), sorted(theirs, key=str)
        compared[step] += len(theirs) - 1
        if not agree(ours, theirs):
            failures += 1
            print("differs: cairn %s" % " ".join(words))
    print("%d cases, %d differ; rows compared: %s" % (
        CASES, failures, ", ".join("%s %d" % c for c in sorted(compared.items()))))
    sys.exit(failures > 0)


main()

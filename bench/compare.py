#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs each task on both sides in turn and writes bench/RESULTS.md.

Tasks are in bench/tasks, a file for each family; bench/sides.py has what a side is made of. The time
of a side is what it reports for the task itself (reading not counted), or its whole wall time; its
memory is the largest resident size of the process. Both sides use two threads. The best of the
rounds counts for each side; ratio = peer time / Cairn time. What is measured is kept in results.json
beside the data, so that a run of some tasks leaves the others in the table as they were."""
import argparse
import importlib
import json
import os
import platform
import subprocess
import sys

from sides import HERE, THREADS, Absent, Failed, Setup, run

# Whole processes, from file to file, against the best time of Christian Borgelt's programs on such a
# machine (they are in no package): name, file, least support, sets, seconds of the fastest of them.
ITEM_SETS = [
    ("retail", "retail.dat.zst", "0.0005", 19242, 0.320),
    ("T10I4D100K", "T10I4D100K.dat.zst", "0.0005", 53385, 0.261),
    ("chess", "chess.dat.zst", "0.6", 254944, 0.043),
    ("mushroom", "mushroom.dat.zst", "0.1", 155657, 0.030),
]


def all_tasks():
    """Those of every file in bench/tasks, in the order of their names."""
    sys.path.insert(0, os.path.join(HERE, "tasks"))
    names = sorted(f[:-3] for f in os.listdir(os.path.join(HERE, "tasks")) if f.endswith(".py"))
    return [task for name in names for task in importlib.import_module(name).TASKS]


def best(rounds):
    """The quickest round of a side, with the least memory seen."""
    seconds = min(r[0] for r in rounds)
    return seconds, min(r[1] for r in rounds), rounds[-1][2]


def compare(setup, task, rounds):
    _, title, ours, peers = task[:4]
    seen, absent = [[] for _ in range(1 + len(peers))], {}
    for _ in range(rounds):
        seen[0].append(ours(setup))
        for i, (_, _, side) in enumerate(peers):
            try:
                if i not in absent:
                    seen[1 + i].append(side(setup))
            except Absent as why:
                absent[i] = str(why)
    mine = best(seen[0])
    rows = [(title, "cairn", mine, None, None)]
    for i, (name, wanted, _) in enumerate(peers):
        if i in absent:
            rows.append((title, name, (None, None, "not there: " + absent[i]), None, wanted))
            continue
        theirs = best(seen[1 + i])
        rows.append((title, name, theirs, theirs[0] / mine[0], wanted))
    return rows


def startup(setup):
    """CPU milliseconds of short commands: the least of 30 runs."""
    rows = []
    for arguments, limit in [(["--version"], 5), (["fit", "tree", "@iris", "--target", "species"], 20)]:
        least = min(run([setup.cairn] + arguments)[2] for _ in range(30)) * 1000
        rows.append(("cairn " + " ".join(arguments), least, limit))
    return rows


def item_sets(setup, rounds):
    """Seconds and memory of `compute itemsets` from file to file, and the number of sets."""
    rows = []
    for name, packed, support, wanted, limit in ITEM_SETS:
        source = os.path.join(setup.items, packed)
        if not os.path.exists(source):
            print("skipping item sets of %s: BENCH_ITEMS names the folder of its data" % name)
            continue
        plain = os.path.join(setup.data, name + ".dat")
        if not os.path.exists(plain):
            subprocess.run(["zstd", "-dqf", source, "-o", plain], check=True)
        made = os.path.join(setup.data, name + "-sets.csv")
        command = [setup.cairn, "compute", "itemsets", plain, "--input-format", "basket",
                   "--support", support, "--out", made, "--quiet", "--threads", THREADS]
        seen = [run(command) for _ in range(2 * rounds)]
        with open(made) as sets:
            found = sum(1 for _ in sets) - 1
        if found != wanted:
            sys.exit("%s: %d sets, not %d" % (name, found, wanted))
        rows.append(("%s at %s" % (name, support), found, min(s[1] for s in seen),
                     min(s[3] for s in seen), limit))
    return rows


def machine():
    with open("/proc/cpuinfo") as info:
        model = [l.split(":")[1].strip() for l in info if l.startswith("model name")][0]
    return "%s, %d cores, Linux %s" % (model, os.cpu_count(), platform.release())


def write_results(path, rows, starts, items, rounds):
    lines = ["# Benchmark results", "",
             "Made by `make bench`: both sides in turn in one run, %d rounds (one or two where" % rounds,
             "they take minutes), the best of each side;",
             "two threads; seconds for the task itself (reading not counted unless it is the task);",
             "memory is the peak of the whole process; ratio = peer time / Cairn time.", "",
             "Machine: " + machine(), "",
             "| task | side | seconds | MB | quality | ratio | wanted |",
             "|---|---|---|---|---|---|---|"]
    for title, name, (seconds, memory, quality), ratio, wanted in rows:
        lines.append("| %s | %s | %s | %s | %s | %s | %s |" % (
            title if name == "cairn" else "", name, "-" if seconds is None else "%.3f" % seconds,
            "-" if memory is None else "%.0f" % memory, quality,
            "%.2f" % ratio if ratio else "", "%.1f" % wanted if wanted else ""))
    if starts:
        lines += ["", "## Start-up", "", "| command | CPU ms | wanted below |", "|---|---|---|"]
        lines += ["| `%s` | %.1f | %d |" % tuple(row) for row in starts]
    if items:
        lines += ["", "## Frequent item sets, file to file, whole process", "",
                  "| data and support | sets | seconds | MB | best of Borgelt's programs |",
                  "|---|---|---|---|---|"]
        lines += ["| %s | %d | %.3f | %.0f | %.3f |" % tuple(row) for row in items]
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")
    print("\n".join(lines))


def measure(setup, task, rounds):
    """Rows of a task, shown as soon as they are there; None where it cannot run or a side fails."""
    if task.needs and not os.path.exists(setup.path(task.needs)):
        print("skipping %s: there is no %s; BENCH_%s names the file" %
              (task.name, setup.path(task.needs), task.needs), flush=True)
        return None
    print("running", task.name, flush=True)
    try:
        rows = compare(setup, task, min(rounds, task.rounds))
    except Failed as failure:
        print("failed:", failure, flush=True)
        return None
    for _, name, (seconds, memory, quality), ratio, _ in rows:
        if seconds is None:
            print("  %-36s %s" % (name, quality), flush=True)
            continue
        print("  %-36s %8.3f s %7.0f MB  %s%s" % (
            name, seconds, memory, quality, "  ratio %.2f" % ratio if ratio else ""), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--data", default="bench/data")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", default=os.path.join(HERE, "RESULTS.md"))
    parser.add_argument("tasks", nargs="*", help="beginnings of task names, start, items; all when "
                        "none is given")
    options = parser.parse_args()
    setup = Setup(options.build, options.data)
    kept_in = os.path.join(options.data, "results.json")
    kept, tasks = {"tasks": {}, "start": [], "items": []}, all_tasks()
    if os.path.exists(kept_in):
        with open(kept_in) as file:
            kept.update(json.load(file))

    def wanted(name):
        return not options.tasks or any(name.startswith(t) for t in options.tasks)

    for task in tasks:
        rows = measure(setup, task, options.rounds) if wanted(task.name) else None
        if rows:
            kept["tasks"][task.name] = rows
    if wanted("start"):
        kept["start"] = startup(setup)
    if wanted("items"):
        kept["items"] = item_sets(setup, options.rounds)
    with open(kept_in, "w") as file:
        json.dump(kept, file)
    rows = [row for task in tasks for row in kept["tasks"].get(task.name, [])]
    write_results(options.out, rows, kept["start"], kept["items"], options.rounds)


main()

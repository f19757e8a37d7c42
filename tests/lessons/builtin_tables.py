#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every built-in table with what its text reads it with: the commands of datasets/uses.json give the
numbers of the page, and no table is without a command there or in a lesson.

    builtin_tables.py ROOT PROGRAM
"""

import json
import pathlib
import shlex
import subprocess
import sys

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(ROOT / "tools"))
uses = json.loads((ROOT / "datasets/uses.json").read_text(encoding="utf-8"))
index = json.loads((ROOT / "datasets/index.json").read_text(encoding="utf-8"))
TOLERANCE = 2e-6


def lesson_words():
    """The words of all commands of lessons."""
    words = set()
    for path in (ROOT / "lessons").glob("*.json"):
        lesson = json.loads(path.read_text(encoding="utf-8"))
        for command in lesson.get("commands", []) if isinstance(lesson, dict) else []:
            words.update(command["run"])
    return words


def value_of(command, name):
    run = subprocess.run([PROGRAM, *shlex.split(command), "--format", "json"],
                         capture_output=True, text=True, timeout=60, check=False)
    if run.returncode:
        return None, f"exit code {run.returncode}: {run.stderr.strip()}"
    values = json.loads(run.stdout).get("values", {})
    return (values[name], None) if name in values else (None, f"there is no value {name}")


def agrees(found, expected):
    if isinstance(expected, str):
        return found == expected
    return isinstance(found, (int, float)) and abs(found - expected) <= TOLERANCE * (1 + abs(expected))


problems = []
words = lesson_words()
for table, entry in index.items():
    names = ["@" + name for name in [table] + entry.get("aliases", [])]
    if table not in uses and not words.intersection(names):
        problems.append(f"@{table}: no command reads it, neither in datasets/uses.json nor a lesson")
for table in set(uses) - set(index):
    problems.append(f"datasets/uses.json: there is no table {table}")
count = 0
for table, rows in uses.items():
    for command, name, expected in rows:
        found, why = value_of(command, name)
        count += 1
        if why or not agrees(found, expected):
            problems.append(f"cairn {command}: {name} is {why or found}, on the page {expected}")
print("\n".join(problems) or f"{count} commands on {len(uses)} tables agree with their pages")
sys.exit(bool(problems))

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Check the built-in data in datasets/ against datasets/index.json.

Without an option: report every disagreement and end with 1 if there is any.
With --write-readme: also write datasets/README.md from the index. Without it,
a README that no longer follows from the index counts as a disagreement.
"""

import argparse
import csv
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "datasets"
SIZE_LIMIT = 2_500_000

KEYS = ["title", "source", "format", "target", "ignore", "id", "kinds", "levels", "ordered",
        "weight", "as", "units", "aliases", "rows", "columns"]
REQUIRED = ["title", "source", "rows", "columns"]
KINDS = {"number", "level", "text", "bag", "sequence", "time", "series"}
SHAPES = {"counts", "distances", "gram"}
FORMATS = {"basket": ".basket"}
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
COLUMN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
MISSING = "?"

README_HEAD = """\
# Built-in data

Small tables that come with the program; `@name` stands for one of them wherever a data file is
expected (`cairn describe @weather`). `index.json` says where each comes from, which column is the
target, which columns name the rows, and what cannot be seen from the cells alone (codes that are
categories, declared values, order). A missing cell is `?`. A file that ends in `.basket` has one
transaction per line, its items separated by spaces.

Index keys beyond those: `weight` names a column of weights or probabilities, `as` says that the
table is a matrix of `counts` or `distances` (its `id` column names the rows), `units` `own` that its
columns are compared as they are (learners of distances and penalties do not standardise them
unasked), `format` is given where the file is not CSV, and a table with several targets lists them.

Short names of sources: *des* the slides "Supervised Learning" of course CS3121; *fla* Flach,
"Machine Learning", slides (a: chapters 1 to 6, b: 7 to 12); *kri* Krishnachandran, "Lecture Notes
in Machine Learning" (a: chapters 1 to 8, b: 9 to 13); *mir* Mirkin, "Core Concepts in Data
Analysis", chapter 4; *pis* Pislariu, "Machine Learning Notes". Known misprints are corrected.
"Made for" marks rows composed for a method that its source explains without numbers.

This file is written by `tools/check-datasets.py --write-readme`.

"""


README_USES = """
## What reads them

Every table with the commands that its text uses it with, and what the page says: `uses.json` (a test
runs it) and the lessons, whose numbers are checked.

"""


class Problems(list):
    def add(self, name, message):
        self.append(f"{name}: {message}")


def unique_pairs(pairs):
    """Refuse an object that names a key twice, which json would drop silently."""
    seen = {}
    for key, value in pairs:
        if key in seen:
            raise ValueError(f"key {key!r} occurs twice")
        seen[key] = value
    return seen


def targets_of(entry):
    target = entry.get("target", [])
    return target if isinstance(target, list) else [target]


def path_of(name, entry):
    return FOLDER / (name + FORMATS.get(entry.get("format"), ".csv"))


def check_text(name, path, problems):
    """Encoding, line ends and stray blanks; returns the text or None."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problems.add(name, f"{path.name} cannot be read: {error}")
        return None
    if "\r" in text or text.startswith("\ufeff"):
        problems.add(name, f"{path.name} has carriage returns or a byte order mark")
    if not text.endswith("\n") or text.endswith("\n\n"):
        problems.add(name, f"{path.name} must end with exactly one line end")
    return text


def read_table(name, path, problems):
    text = check_text(name, path, problems)
    if text is None:
        return None, None
    lines = list(csv.reader(text.splitlines(), strict=True))
    if not lines:
        problems.add(name, f"{path.name} is empty")
        return None, None
    header, rows = lines[0], lines[1:]
    if len(set(header)) != len(header):
        problems.add(name, "a column name occurs twice")
    for column in header:
        if not COLUMN.fullmatch(column):
            problems.add(name, f"column name {column!r} has characters other than letters, digits, _")
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            problems.add(name, f"line {number} has {len(row)} cells, the header {len(header)}")
            return None, None
        for column, cell in zip(header, row):
            if cell == "" or cell != cell.strip():
                problems.add(name, f"line {number}, {column}: empty or padded cell {cell!r}")
    return header, rows


def check_columns_exist(name, entry, header, problems):
    named = {"target": targets_of(entry), "weight": [entry["weight"]] if "weight" in entry else []}
    for key in ("ignore", "id", "ordered", "kinds", "levels"):
        named[key] = list(entry.get(key, []))
    for key, columns in named.items():
        for column in columns:
            if column not in header:
                problems.add(name, f"{key} names {column!r}, which is no column")
        if len(set(columns)) != len(columns):
            problems.add(name, f"{key} names a column twice")
    roles = named["target"] + named["ignore"] + named["id"] + named["weight"]
    for column in sorted({c for c in roles if roles.count(c) > 1}):
        problems.add(name, f"column {column!r} has two roles")


def values_of(kind, cells):
    present = [cell for cell in cells if cell != MISSING]
    if kind == "sequence":
        return {state for cell in present for state in cell.split(" ")}
    return set(present)


def check_kinds(name, entry, cells, problems):
    for column, kind in entry.get("kinds", {}).items():
        if kind not in KINDS:
            problems.add(name, f"kind {kind!r} of {column} is unknown")
        elif column in cells and kind == "number":
            for cell in values_of(kind, cells[column]):
                if not NUMBER.fullmatch(cell):
                    problems.add(name, f"{column}: {cell!r} is not a number")
        elif column in cells and kind == "level" and column not in entry.get("levels", {}):
            numeric = all(NUMBER.fullmatch(c) for c in values_of(kind, cells[column]))
            if not numeric:
                problems.add(name, f"kinds says level for {column}, which is found without it")


def check_levels(name, entry, cells, problems):
    kinds = entry.get("kinds", {})
    for column, levels in entry.get("levels", {}).items():
        if not all(isinstance(v, str) for v in levels) or len(set(levels)) != len(levels):
            problems.add(name, f"levels of {column} must be different strings")
            continue
        if column not in cells:
            continue
        present = values_of(kinds.get(column), cells[column])
        for value in sorted(present - set(levels)):
            problems.add(name, f"{column}: value {value!r} is not among its declared levels")
        if all(NUMBER.fullmatch(v) for v in present) and kinds.get(column) != "level":
            problems.add(name, f"{column} has levels but would be read as numbers: add it to kinds")
    for column in entry.get("ordered", []):
        if column not in entry.get("levels", {}):
            problems.add(name, f"{column} is ordered but its levels are not declared")


def check_matrix(name, entry, header, rows, problems):
    if entry["as"] not in SHAPES:
        problems.add(name, f"as {entry['as']!r} is unknown")
        return
    skipped = set(entry.get("id", [])) | set(entry.get("ignore", [])) | set(entry.get("levels", {}))
    body = [i for i, column in enumerate(header) if column not in skipped]
    if entry["as"] != "distances":
        return
    labels = [row[header.index(entry["id"][0])] for row in rows]
    if labels != [header[i] for i in body]:
        problems.add(name, "rows and columns of the distance matrix have different names")
        return
    matrix = [[float(row[i]) for i in body] for row in rows]
    size = range(len(matrix))
    if any(matrix[i][i] != 0 or matrix[i][j] != matrix[j][i] for i in size for j in size):
        problems.add(name, "the distance matrix is not symmetric with zeros on its diagonal")


def check_shape(name, entry, rows, columns, problems):
    if (entry["rows"], entry["columns"]) != (rows, columns):
        problems.add(name, f"index says {entry['rows']} x {entry['columns']}, "
                           f"the file has {rows} x {columns}")


def check_basket(name, entry, path, problems):
    text = check_text(name, path, problems)
    if text is None:
        return
    baskets = [line.split(" ") for line in text.splitlines()]
    if any("" in basket or len(set(basket)) != len(basket) for basket in baskets):
        problems.add(name, "a transaction has an empty or repeated item")
    check_shape(name, entry, len(baskets), len({i for b in baskets for i in b}), problems)


def check_csv(name, entry, path, problems):
    header, rows = read_table(name, path, problems)
    if header is None:
        return
    check_shape(name, entry, len(rows), len(header), problems)
    check_columns_exist(name, entry, header, problems)
    cells = {column: [row[i] for row in rows] for i, column in enumerate(header)}
    check_kinds(name, entry, cells, problems)
    check_levels(name, entry, cells, problems)
    if "as" in entry:
        check_matrix(name, entry, header, rows, problems)


def check_keys(name, entry, problems):
    for key in REQUIRED:
        if key not in entry:
            problems.add(name, f"key {key} is missing")
    for key, value in entry.items():
        if key not in KEYS:
            problems.add(name, f"key {key} is unknown")
        elif value in ("", None, [], {}):
            problems.add(name, f"key {key} is empty: leave it out")
    for key in ("title", "source"):
        if not isinstance(entry.get(key, ""), str) or "\n" in entry.get(key, ""):
            problems.add(name, f"{key} must be one line of text")
    if "format" in entry and entry["format"] not in FORMATS:
        problems.add(name, f"format {entry['format']!r} is unknown")


def check_names(index, problems):
    names = list(index)
    if names != sorted(names):
        problems.add("index.json", "names are not in order")
    taken = set(names)
    for name, entry in index.items():
        for word in [name] + entry.get("aliases", []):
            if not NAME.fullmatch(word):
                problems.add(name, f"{word!r} is not a lower-case word with hyphens")
        for alias in entry.get("aliases", []):
            if alias in taken:
                problems.add(name, f"alias {alias!r} is already taken")
            taken.add(alias)


def check_folder(index, problems):
    expected = {path_of(name, entry).name for name, entry in index.items()}
    expected |= {"index.json", "uses.json", "README.md"}
    found = {path.name for path in FOLDER.iterdir()}
    for name in sorted(found - expected):
        problems.add(name, "is in the folder but not in the index")
    size = sum(path.stat().st_size for path in FOLDER.iterdir())
    if size > SIZE_LIMIT:
        problems.add("datasets", f"{size} bytes are more than the limit of {SIZE_LIMIT}")


def readme_text(index):
    lines = ["| name | rows x columns | target | what it is | source |", "|---|---|---|---|---|"]
    for name, entry in index.items():
        also = "".join(f", `@{alias}`" for alias in entry.get("aliases", []))
        cells = [f"`@{name}`{also}", f"{entry['rows']} x {entry['columns']}",
                 ", ".join(targets_of(entry)) or "-", entry["title"], entry["source"]]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return README_HEAD + "\n".join(lines) + "\n"


def uses_text(index):
    """What reads each table: the commands of uses.json with the number of the page, and lessons."""
    uses = json.loads((FOLDER / "uses.json").read_text(encoding="utf-8"))
    lessons = {}
    for path in sorted((ROOT / "lessons").glob("*.json")):
        lesson = json.loads(path.read_text(encoding="utf-8"))
        for command in lesson.get("commands", []) if isinstance(lesson, dict) else []:
            run = command["run"]
            entry = run[1].split(":")[0] if run[0] in ("fit", "compute", "draw", "evaluate") else ""
            what = f"{run[0]} {entry}".strip()
            for word in {word for word in run if word.startswith("@")}:
                lessons.setdefault(word[1:], {}).setdefault(path.stem, set()).add(what)
    lines = ["| name | command | value of the page |", "|---|---|---|"]
    for name, entry in index.items():
        for command, value, expected in uses.get(name, []):
            lines.append("| `@%s` | `cairn %s` | %s = %s |" % (name, command.replace("|", "\\|"),
                                                             value, expected))
        for word in [name] + entry.get("aliases", []):
            for lesson, whats in lessons.get(word, {}).items():
                what = ", ".join(f"`{what}`" for what in sorted(whats))
                lines.append(f"| `@{name}` | {what} | lesson `{lesson}` |")
    return README_USES + "\n".join(lines) + "\n"


def check_readme(index, write, problems):
    path = FOLDER / "README.md"
    text = readme_text(index) + uses_text(index)
    if write:
        path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        problems.add("README.md", "does not follow from index.json: run with --write-readme")


def main():
    parser = argparse.ArgumentParser(description="check the built-in data")
    parser.add_argument("--write-readme", action="store_true", help="write datasets/README.md")
    options = parser.parse_args()
    problems = Problems()
    try:
        index = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"),
                           object_pairs_hook=unique_pairs)
    except (OSError, ValueError) as error:
        sys.exit(f"index.json: {error}")
    check_names(index, problems)
    sound = {}
    for name, entry in index.items():
        before = len(problems)
        check_keys(name, entry, problems)
        if len(problems) == before:
            sound[name] = entry
    for name, entry in sound.items():
        check = check_basket if entry.get("format") == "basket" else check_csv
        check(name, entry, path_of(name, entry), problems)
    check_readme(sound, options.write_readme, problems)
    check_folder(sound, problems)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(index)} data sets, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

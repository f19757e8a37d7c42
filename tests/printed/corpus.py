# SPDX-License-Identifier: MIT
"""The reports that tests of what is printed read: every lesson, the example of every entry with its
steps, and the example of every learner and calculator with each of its options set otherwise."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8", COLUMNS="100000")
LONG = 30  # seconds
# Few rows: sums of many are written with dots, and those cannot be worked out.
FEW = {
    "classes.csv": "a,b,kind\n1,2,p\n2,1.5,p\n3,3,n\n2.5,4,n\n4,2.5,p\n3.5,5,n\n5,4.5,n\n1.5,3.5,p\n",
    "amounts.csv": "a,b,amount\n1,2,3.1\n2,1.5,4.2\n3,3,5.8\n2.5,4,6.1\n4,2.5,7.4\n3.5,5,8.9\n"
                   "5,4.5,9.7\n",
    "levels.csv": "sky,wind,go\nclear,no,yes\nclear,yes,yes\ngrey,no,no\ngrey,yes,no\n"
                  "rain,no,yes\nrain,yes,no\nclear,no,yes\n",
}


class Corpus:
    """Runs commands with one program, in a folder that has the files of the examples."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.TemporaryDirectory()
        self.places = tempfile.TemporaryDirectory()  # for folders of their own
        self.environment = dict(ENVIRONMENT,
                                PATH=os.path.dirname(self.program) + ":" + os.environ["PATH"])
        self.ran = self.refused = 0
        for name, text in FEW.items():
            pathlib.Path(self.folder.name, name).write_text(text)
        made = (ROOT / "tests/cli/examples_run.sh").read_text().split("cairn help")[0]
        self.shell(made)
        self.entries = json.loads(self.shell("cairn help --format json").stdout)["entries"]

    def shell(self, line, folder=None):
        return subprocess.run(["sh", "-c", line], cwd=folder or self.folder.name, timeout=LONG,
                              env=self.environment, stdin=subprocess.DEVNULL, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)

    def report(self, line):
        """What a command says, as JSON; None if it is refused or prints something else."""
        self.ran += 1
        try:
            run = self.shell(line + " --format json")
        except subprocess.TimeoutExpired:
            run = None
        if run is None or run.returncode:
            self.refused += 1
            return None
        try:
            said = json.loads(run.stdout)
        except ValueError:
            return None
        return said if isinstance(said, dict) and "blocks" in said else None

    def lessons(self):
        names = sorted(p.stem for p in (ROOT / "lessons").glob("*.json") if p.stem != "topics")
        return [[f"cairn lesson {name}"] for name in names]

    def examples(self):
        """Each with its steps; the second is for those that have none."""
        lines = [e["example"] for e in self.entries]
        return [[line + " --steps", line] for line in lines if plain(line)]

    def plainly(self):
        """Every learner on the tables of few rows."""
        return [forms for e in self.entries if e["kind"] == "learner" for forms in few(e)]

    def otherwise(self):
        """The examples with one option set to another value each."""
        for entry in self.entries:
            if entry["kind"] not in ("learner", "calculator"):
                continue
            lines = [[entry["example"]]] if plain(entry["example"]) else []
            if entry["kind"] == "learner":
                lines += few(entry)
                yield from ([line + " --steps" for line in forms] for forms in few(entry))
            for forms in lines:
                for option in entry["parameters"]:
                    if re.search(f"--{re.escape(option['option'])}[= ]", forms[0] + " "):
                        continue
                    for value in others(option):
                        yield [f"{line} --{option['option']}={value} --steps" for line in forms]

    def reports(self, lines):
        """(line, report) of those that are not refused."""
        def first(forms):
            for line in forms:
                said = self.report(line)
                if said:
                    return line, said
            return forms[0], None
        with ThreadPoolExecutor(2) as pool:
            yield from (pair for pair in pool.map(first, lines) if pair[1])


def plain(line):
    """One command, not several, and nothing of the shell's."""
    return "&&" not in line and line.startswith(("cairn fit", "cairn compute", "cairn evaluate",
                                                 "cairn compare", "cairn tune", "cairn describe",
                                                 "cairn draw", "cairn predict"))


def few(entry):
    """A learner on each table of few rows: with the last column as its target, or without one."""
    needed = "".join(f" --{o['option']} 2" for o in entry["parameters"] if o["required"])
    for table, text in FEW.items():
        target = text.split("\n", 1)[0].split(",")[-1]
        line = f"cairn fit {entry['name']} {table}{needed}"
        yield [f"{line} --target {target}", line]


def others(option):
    """Values that an option does not have by itself."""
    kind, usual = option["type"], option["default"]
    if kind == "choice":
        return [c["name"] for c in option["choices"] if c["name"] != usual]
    if kind == "bool":
        return ["no" if usual == "yes" else "yes"]
    if kind == "int":
        return [str(int(usual) + 1)] if (usual or "").isdigit() else ["2"]
    if kind == "real":
        try:
            return [f"{float(usual) * 0.75 + 0.01:g}"]
        except (TypeError, ValueError):
            return ["0.4", "2"]
    return []


def texts(report):
    """(kind of block, line) of everything that is written in words."""
    for block in report["blocks"]:
        if block["kind"] == "table":
            for row in block["rows"]:
                for cell in row:
                    if isinstance(cell, str):
                        yield "cell", cell
        elif "text" in block:
            for line in block["text"].split("\n"):
                yield block["kind"], line
        elif isinstance(block.get("value"), str):
            yield "value", f"{block['label']}: {block['value']}"

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is recognised is said: odd inputs through everything that can take them.

    odd_inputs.py PROGRAM [KIND ...]        --list shows every outcome

The examples of all learners, transforms, calculators and pictures, as the registry has them, are run
on a tidy table, and again on the same table in an odd form: with a column of row numbers, names or
identifiers, without a header, with its features in lines, with another separator. Matrices of
distances get names, baskets other separators, scores become ranks; of what is typed, classes repeat
themselves, counts become rates and shares become counts. Each time the answer must be that of the
tidy form, or a line must say what was recognised, or the command is refused with a reason. Another
answer without a word is the failure that this looks for.
"""

import collections
import concurrent.futures
import csv
import functools
import io
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
WANTED = [word for word in sys.argv[2:] if not word.startswith("-")]
LIST = "--list" in sys.argv
ROWS = 60  # of a tidy table
REFUSED = (1, 2, 3, 4)
# Each kind must be met by so many commands, so that the test cannot come to nothing.
LEAST = {"numbers": 150, "names": 150, "identifier": 150, "headerless": 120, "sideways": 150,
         "separator": 150, "distances": 6, "baskets": 4, "ranks": 8, "classes": 10, "rates": 8,
         "shares": 60}

Result = collections.namedtuple("Result", "code out err")


def run(words, folder):
    """One command; a folder of its own each, since examples save models."""
    done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=120,
                          check=False, errors="replace", env={**os.environ, "NO_COLOR": "1"})
    return Result(done.returncode, done.stdout, done.stderr)


registry = json.loads(run(["help", "--format", "json"], ".").out)
entries = [e for e in registry["entries"]
           if e["kind"] in ("learner", "transform", "calculator", "picture")]


# -- examples and their tables --

def commands_of(entry):
    """The words of each command of the example; the last one is about the entry."""
    return [shlex.split(part)[1:] for part in entry["example"].split("&&")]


@functools.lru_cache(None)
def roles_of(table):
    values = json.loads(run(["describe", table, "--format", "json", "--quiet"], ".").out)["values"]
    return {name[5:]: role for name, role in values.items() if name.startswith("role.")}


@functools.lru_cache(None)
def rows_of(table):
    """A built-in table as rows with a header, without names of rows and what is left out; at most
    ROWS rows from all over it. None for one that is no table of cells."""
    done = run(["convert", table, "-", "--to", "csv", "--quiet"], ".")
    if done.code:
        return None
    rows = list(csv.reader(io.StringIO(done.out)))
    roles = roles_of(table)
    keep = [j for j, name in enumerate(rows[0]) if roles.get(name) in ("feature", "target", "weight")]
    rows = [[row[j] for j in keep] for row in rows if len(row) == len(rows[0])]
    body = rows[1:]
    step = max(1, math.ceil(len(body) / ROWS))
    return [rows[0]] + body[::step]


def write(path, rows, separator=","):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=separator, lineterminator="\n").writerows(rows)


def target_of(table):
    return next((name for name, role in roles_of(table).items() if role == "target"), None)


# -- what came out --

NOISE = re.compile(r"seconds|time|command|file|source|bytes|id$|names_rows")


def answer_of(result, folder):
    """The named values, else what was printed or drawn."""
    drawn = pathlib.Path(folder, "drawn.svg")
    if drawn.exists():
        return drawn.read_text(encoding="utf-8")
    try:
        values = json.loads(result.out)["values"]
    except (ValueError, KeyError, TypeError):
        return result.out
    return {name: value for name, value in values.items() if not NOISE.search(name)} or result.out


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return all(name in b and same(value, b[name]) for name, value in a.items())
    if isinstance(a, float) or isinstance(b, float):
        return (isinstance(a, (int, float)) and isinstance(b, (int, float))
                and (a == b or abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))))
    return a == b


def first_difference(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        for name, value in a.items():
            if name not in b or not same(value, b[name]):
                return f"{name} {value} is {b.get(name, 'not there')}"
    return "the text or picture differs"


def notes_of(result):
    try:
        blocks = json.loads(result.out)["blocks"]
    except (ValueError, KeyError, TypeError):
        return []
    return [block.get("text", "") for block in blocks if block.get("kind") in ("note", "paragraph")]


def judge(tidy, odd, said):
    """right, said, refused or silent, with a word on the difference."""
    tidy_result, tidy_answer = tidy
    odd_result, odd_answer = odd
    if odd_result.code in REFUSED and odd_result.err.strip():
        return "refused", odd_result.err.strip().splitlines()[-1]
    if odd_result.code:
        return "silent", f"exit code {odd_result.code}"
    if same(tidy_answer, odd_answer):
        return "right", ""
    lines = odd_result.err.splitlines() + notes_of(odd_result)
    told = next((line for line in lines if re.search(said, line)), None)
    if told is not None:
        return "said", told
    return "silent", first_difference(tidy_answer, odd_answer)


def run_all(commands, folder):
    """All commands of an example; those before the last one fit models."""
    before = ""
    for words in commands[:-1]:
        result = run(words, folder)
        before += result.err
        if result.code:
            return result, None
    result = run(commands[-1], folder)
    return result._replace(err=before + result.err), answer_of(result, folder)


def run_form(commands, place, form):
    """The commands in a folder where `form` writes their table, t.csv."""
    with tempfile.TemporaryDirectory(dir=place) as folder:
        form(pathlib.Path(folder, "t.csv"))
        return run_all(commands, folder)


# -- odd forms of a table --

def is_number(cell):
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def numbered(rows):
    return [["No."] + rows[0]] + [[str(i)] + row for i, row in enumerate(rows[1:], 1)]


def named(rows):
    return [["name"] + rows[0]] + [[f"N{(7 * i) % 997}x"] + row for i, row in enumerate(rows[1:], 1)]


def identified(rows):
    return [["CaseId"] + rows[0]] + [[str(1000 + (37 * i) % 991)] + row
                                     for i, row in enumerate(rows[1:], 1)]


def renamed(rows):
    return [[f"column{j + 1}" for j in range(len(rows[0]))]] + rows[1:]


ODD = {
    "numbers": (lambda path, rows: write(path, numbered(rows)), r"No\."),
    "names": (lambda path, rows: write(path, named(rows)), r"\bname\b"),
    "identifier": (lambda path, rows: write(path, identified(rows)), r"CaseId"),
    "headerless": (lambda path, rows: write(path, rows[1:]), r"first line|header"),
    "sideways": (lambda path, rows: write(path, list(zip(*rows))), r"--transpose"),
    "separator": (None, r"separat"),
}


# What a user says of the added column; a picture with the names of rows differs from one without.
NAMED = {"numbers": "No.", "names": "name", "identifier": "CaseId"}


def with_words(commands, table, target, names):
    """The commands on t.csv: with a target where the table declares one, quiet about nothing, as
    JSON or as a picture; columns by the names that the header has."""
    changed = []
    for words in commands:
        words = [re.sub("^" + re.escape(table) + "$", "t.csv", word) for word in words]
        for old, new in names.items():
            words = [re.sub(rf"\b{re.escape(old)}\b", new, word) if i > 1 else word
                     for i, word in enumerate(words)]
        if target and words[0] in ("fit", "evaluate") and not {"--target", "--formula"} & set(words):
            words += ["--target", names.get(target, target)]
        changed.append(words)
    last = changed[-1]
    if "--out" in last:
        del last[last.index("--out"):last.index("--out") + 2]
    last += ["--out", "drawn.svg"] if last[0] == "draw" else ["--format", "json"]
    return changed


def variants_of(entry):
    """The example as commands, and where it is a learner's or transform's other verbs."""
    commands = commands_of(entry)
    yield commands
    if entry["kind"] == "learner" and commands[-1][0] == "fit" and len(commands) == 1:
        words = [word for word in commands[0] if word != "--steps"]
        if "--save" not in words:
            yield [words + ["--save", "m.cairn"], ["predict", "m.cairn", table_of(commands) or "-"]]


def table_of(commands):
    for words in commands:
        for word in words:
            if re.fullmatch(r"@[a-z0-9-]+", word):
                return word
    return None


def table_cases():
    """(name, commands, table, rows) of all that reads a built-in table of cells."""
    for entry in entries:
        for commands in variants_of(entry):
            table = table_of(commands)
            rows = rows_of(table) if table else None
            if rows and len(rows) > 3 and len(rows[0]) > 1:
                yield f"{entry['kind']}/{entry['name']}", commands, table, rows


SEPARATORS = [";", "\t", "|", " "]


def try_table(number, case, place, kinds):
    """All odd forms of one example."""
    name, commands, table, rows = case
    found = []
    target = target_of(table)
    for names in ({}, {old: new for old, new in zip(rows[0], renamed(rows)[0])}):
        mine = [k for k in kinds if k in ODD and (k == "headerless") == bool(names)]
        if not any(is_number(cell) for cell in rows[1]):  # nobody can tell words in lines
            mine = [k for k in mine if k != "sideways"]
        if not mine:
            continue
        base = renamed(rows) if names else rows
        for aim in (target, None) if commands[-1][0] in ("compute", "draw") else (target,):
            words = with_words(commands, table, target, names)
            if aim and commands[-1][0] in ("compute", "draw") and "--target" not in words[-1]:
                words[-1] += ["--target", names.get(aim, aim)]
            tidy = run_form(words, place, lambda path: write(path, base))
            if not tidy[0].code:
                break
        if tidy[0].code or tidy[1] is None:
            continue
        for kind in mine:
            make, said = ODD[kind]
            if kind == "separator":
                separator = SEPARATORS[number % len(SEPARATORS)]
                if separator == " " and any(" " in cell for row in rows for cell in row):
                    separator = "\t"
                make = lambda path, rows, separator=separator: write(path, rows, separator)
            odd = run_form(words, place, lambda path: make(path, rows))
            if odd[1] is None:
                found.append((kind, "refused", name, odd[0].err.strip()))
                continue
            outcome, why = judge(tidy, odd, said)
            if outcome == "silent" and kind in NAMED:
                told = [line + ["--id", NAMED[kind]] for line in words]
                told = run_form(told, place, lambda path: make(path, rows))
                outcome = judge(told, odd, said)[0]
            found.append((kind, outcome, name + ": cairn " + shlex.join(words[-1]), why))
    return found


# -- matrices of distances --

PLAIN = [["0", "2", "11", "9", "7"], ["2", "0", "8", "7", "6"], ["11", "8", "0", "3", "4"],
         ["9", "7", "3", "0", "5"], ["7", "6", "4", "5", "0"]]
HEAD = ["a", "b", "c", "d", "e"]
KINDS = ["u", "u", "v", "v", "v"]


def needed(entry, values):
    words = []
    for option in entry["parameters"]:
        if option["required"] or (option["default"] is None and option["type"] in ("int", "real")):
            words += ["--" + option["option"], values.get(option["option"], "2")]
    return words


def distance_cases(place):
    for entry in entries:
        if entry["kind"] == "learner":
            words = ["fit", entry["name"], "t.csv"] + needed(entry, {"eps": "4"})
        elif "distances" in entry["summary"] + entry["example"] and "DATA" in entry["usage"]:
            words = [{"calculator": "compute", "picture": "draw"}.get(entry["kind"], "-"),
                     entry["name"], "t.csv"]
        else:
            continue
        ending = ["--out", "drawn.svg"] if words[0] == "draw" else ["--format", "json"]
        for labelled in (False, True):
            target = ["--target", "kind"] if labelled else []
            body = [row + ([kind] if labelled else []) for row, kind in zip(PLAIN, KINDS)]
            head = HEAD + (["kind"] if labelled else [])
            rows = [head] + body
            names = [["city"] + head] + [[name] + row for name, row in zip(HEAD, body)]
            tidy = run_form([words + target + ["--as", "distances"] + ending], place,
                            lambda path: write(path, rows))
            if tidy[0].code:
                continue
            for given in (["--as", "distances"], []):
                odd = run_form([words + target + given + ending], place,
                               lambda path: write(path, names))
                outcome, why = judge(tidy, odd, r"matrix of distances")
                if outcome == "silent":
                    told = words + target + ["--as", "distances", "--id", "city"] + ending
                    told = run_form([told], place, lambda path: write(path, names))
                    outcome = judge(told, odd, r"^$")[0]
                yield "distances", outcome, shlex.join(words + target + given), why


# -- baskets --

def basket_cases(place):
    lines = [["beer", "crisps"], ["nappies", "beer"], ["beer", "crisps", "nappies"],
             ["apples", "crisps"], ["apples", "beer"], ["nappies"]]
    for entry in entries:
        commands = commands_of(entry)
        if "@baskets" not in commands[-1]:
            continue
        words = ["t.basket" if word == "@baskets" else word for word in commands[-1]]
        words = with_words([words], "@baskets", None, {})[0]

        def basket(separator):
            def form(path):
                text = "".join(separator.join(line) + "\n" for line in lines)
                path.with_name("t.basket").write_text(text, encoding="utf-8")
            return form

        tidy = run_form([words], place, basket(" "))
        if tidy[0].code:
            continue
        for separator in (", ", ",", "; ", " | ", "\t"):
            odd = run_form([words], place, basket(separator))
            outcome, why = judge(tidy, odd, r"^$")  # nothing but the right answer will do
            yield "baskets", outcome, repr(separator) + " " + shlex.join(words), why


# -- ranks --

def rank_cases(place):
    classes = "pnppnpnnpn"
    ranks = [["rank_of_mail", "class"]] + [[str(i + 1), c] for i, c in enumerate(classes)]
    scores = [["score", "class"]] + [[str(10 - i), c] for i, c in enumerate(classes)]
    for entry in entries:
        options = {option["option"] for option in entry["parameters"]}
        if entry["kind"] not in ("calculator", "picture") or not {"score", "low"} <= options:
            continue
        verb = "compute" if entry["kind"] == "calculator" else "draw"
        words = [verb, entry["name"], "t.csv", "--target", "class", "--positive", "p"]
        words += ["--out", "drawn.svg"] if verb == "draw" else ["--format", "json"]
        tidy = run_form([words], place, lambda path: write(path, scores))
        if tidy[0].code:
            continue
        odd = run_form([words], place, lambda path: write(path, ranks))
        outcome, why = judge(tidy, odd, r"\branks?\b.*(low|high)|takes low")
        yield "ranks", outcome, shlex.join(words), why


# -- what is typed --

def example_with(entry, option, change):
    """The example with the value of an option changed; None where it is not there."""
    commands = commands_of(entry)
    words = commands[-1]
    at = [i for i, word in enumerate(words[:-1]) if word == "--" + option]
    if len(commands) > 1 or not at:
        return None, None
    odd = list(words)
    for i in at:
        new = change(words[i + 1])
        if new is None:
            return None, None
        odd[i + 1] = new
    return words, odd


def as_typed(words):
    words = list(words)
    if "--out" in words:
        del words[words.index("--out"):words.index("--out") + 2]
    return words + (["--out", "drawn.svg"] if words[0] == "draw" else ["--format", "json"])


def try_typed(kind, words, odd, place, said):
    tidy = run_form([as_typed(words)], place, lambda path: None)
    if tidy[0].code:
        return None
    outcome, why = judge(tidy, run_form([as_typed(odd)], place, lambda path: None), said)
    return kind, outcome, shlex.join(odd), why


NAMES = {"classes", "states", "outcomes", "words", "hypotheses", "names", "symbols", "codes"}


def twice(text):
    items = text.split(",")
    return None if len(items) < 2 or "=" in text else ",".join([items[0]] * 2 + items[2:])


def class_cases(place):
    """Names that stand twice are refused: there is no telling them apart."""
    for entry in entries:
        for option in entry["parameters"]:
            if option["option"] not in NAMES or option["type"] not in ("list", "text"):
                continue
            words, odd = example_with(entry, option["option"], twice)
            if not words and entry["kind"] in ("calculator", "picture"):
                commands = commands_of(entry)
                for n in (2, 3):
                    names = ["u", "v", "w"][:n]
                    plain = commands[-1] + ["--" + option["option"], ",".join(names)]
                    if len(commands) == 1 and not run(as_typed(plain)[:-2], place).code:
                        words = plain
                        odd = plain[:-1] + [twice(plain[-1])]
                        break
            found = words and try_typed("classes", words, odd, place, r"^$")
            if found:
                yield found


COUNTS = re.compile(r"\bcounts\b|\bcounted\b|how often|^number of (all )?(positives|negatives)|"
                    r"rows that (were|the first was) tested")


def as_rates(text):
    """The numbers divided by their sum, as shares have it."""
    numbers = [float(x) for x in re.findall(r"\d+(?:\.\d+)?", text)]
    if not numbers or any(x != int(x) for x in numbers) or re.search(r"[a-zA-Z=@(]", text):
        return None
    whole = sum(numbers) if len(numbers) > 1 else 2.0 ** math.ceil(math.log2(numbers[0] + 1))
    return re.sub(r"\d+(?:\.\d+)?", lambda m: format(float(m.group()) / whole, ".17g"), text)


def rate_cases(place):
    for entry in entries:
        for option in entry["parameters"]:
            if option["type"] not in ("real", "list", "text") or not COUNTS.search(option["help"]):
                continue
            words, odd = example_with(entry, option["option"], as_rates)
            found = words and try_typed("rates", words, odd, place, r"rate|share|count")
            if found:
                yield found


SHARE = re.compile(r"^[\[(](0|0\.\d+|1),1[\])]$")


def share_cases(place):
    """A count where a share belongs is out of its range; the refusal names the range."""
    for entry in entries:
        commands = commands_of(entry)
        if len(commands) > 1:
            continue
        for option in entry["parameters"]:
            if option["type"] not in ("real", "list") or not SHARE.match(option["range"] or ""):
                continue
            words = list(commands[-1])
            wanted = ["--" + option["option"], "40"]
            if entry["kind"] == "transform":
                wanted = ["--with", f"{entry['name']}:{option['option']}=40"]
            if wanted[0] in words and wanted[0] != "--with":
                at = words.index(wanted[0])
                words = words[:at] + words[at + 2:]
            done = run(as_typed(words + wanted)[:-2], place)
            right = done.code in REFUSED and re.search(r"must be in|counts only|40", done.err)
            yield ("shares", "refused" if right else "silent",
                   shlex.join(words + wanted), done.err.strip()[-200:])


TYPED = {"distances": distance_cases, "baskets": basket_cases, "ranks": rank_cases,
         "classes": class_cases, "rates": rate_cases, "shares": share_cases}


def main():
    kinds = WANTED or list(LEAST)
    outcomes = []
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(lambda kind=kind: list(TYPED[kind](place))) for kind in kinds if kind in TYPED]
        if any(kind in ODD for kind in kinds):
            jobs += [pool.submit(try_table, i, case, place, kinds)
                     for i, case in enumerate(table_cases())]
        for job in jobs:
            outcomes += job.result()
    bad = [o for o in outcomes if o[1] == "silent"]
    for kind, outcome, what, why in outcomes if LIST else bad:
        print(f"{kind}: {outcome}: {what}\n    {why[:300]}")
    for kind in kinds:
        count = collections.Counter(o[1] for o in outcomes if o[0] == kind)
        met = sum(count.values())
        print(f"{kind}: {met} commands: " + ", ".join(f"{n} {what}" for what, n in sorted(count.items())))
        if met < LEAST[kind]:
            print(f"    {kind}: at least {LEAST[kind]} commands were expected")
            bad.append(kind)
    return bool(bad)


sys.exit(main())

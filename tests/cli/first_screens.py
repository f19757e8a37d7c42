#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The first screens of the verbs on built-in tables of each kind: how long and wide they are, that
the answer stands on top, and that nothing is broken in the middle of a word on a narrow terminal.
One line is printed per finding, nothing when all is well."""
import os
import re
import subprocess
import sys
import unicodedata

SCREEN, DESCRIPTION, TOP, WIDTH, NARROW = 30, 40, 8, 80, 40
# a command, and what its first lines must hold
COMMANDS = [
    ("describe @titanic", "891 rows"),
    ("describe @iris", "150 rows"),
    ("describe @digits", "1797 rows"),
    ("describe @diabetes", "442 rows"),
    ("describe @texts", "rows"),
    ("fit tree @titanic", "342 of 891 survived"),
    ("fit logistic @titanic", "P(1) ="),
    ("fit forest @iris", "trees:"),
    ("fit linear @diabetes", "progression ="),
    ("fit tree @diabetes", "mean 152.1"),
    ("fit bayes @texts --with bag", "Naive Bayes"),
    ("fit knn @digits", "k nearest"),
    ("fit kmeans @iris --clusters 3", "within sum of squares"),
    ("fit hierarchy @iris --clusters 3", "Hierarch"),
    ("evaluate tree @titanic", "accuracy  0.822"),
    ("evaluate knn @iris", "accuracy  0.947"),
    ("evaluate tree @digits", "accuracy  0."),
    ("evaluate linear @diabetes", "RMSE"),
    ("evaluate bayes @texts --with bag --by cv:2", "accuracy"),
    ("evaluate kmeans @iris --clusters 3", "adjusted-rand"),
    ("evaluate dbscan @iris", "adjusted-rand"),
    ("compare tree forest logistic majority --on @titanic", "No clear winner"),
    ("compare linear tree majority --on @diabetes --by cv:3", "linear"),
    ("compare tree knn majority --on @iris @wine", "average rank"),
    ("compare kmeans:clusters=2 kmeans:clusters=3 --on @iris", "kmeans:clusters=3"),
    ("tune tree @iris --over max-depth=1:4", "Best setting"),
    ("tune tree @diabetes --over max-depth=1:4", "Best setting"),
    ("tune kmeans @iris --over clusters=2:5", "Best setting"),
    ("lesson", "The course"),
    ("lesson entropy-curve", "What is the entropy"),
    ("lesson id3-play-tennis", "?"),
]


def width(line):
    """Cells of a line: wide letters take two, combining marks none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def printed(words, columns):
    run = subprocess.run(["cairn", *words.split()], stdin=subprocess.DEVNULL, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         env=dict(os.environ, COLUMNS=str(columns)), check=False)
    if run.returncode:
        print(f"{words}: exit {run.returncode}: {run.stderr.strip()}")
    return run.stdout


def is_whole(word, known):
    """A word as it is where there is room, a rule, what was cut with dots, or what stands between the
    marks that join the parts of a name."""
    if word in known or set(word) <= set("─═…") or word.endswith("…"):
        return True
    return any(re.search(r"(^|[-_=])" + re.escape(word) + r"($|(?<=[-_=]))", whole) or
               re.search(r"[-_=]" + re.escape(word) + "$", whole) for whole in known)


def check(words, answer):
    text = printed(words, WIDTH)
    lines = text.rstrip("\n").split("\n")
    most = DESCRIPTION if words.startswith("describe") else SCREEN
    if len(lines) > most:
        print(f"{words}: {len(lines)} lines, at most {most}")
    for line in lines:
        if width(line) > WIDTH and not line.startswith("cairn "):
            print(f"{words}: {width(line)} cells: {line}")
    if answer not in "\n".join(lines[:TOP]):
        print(f"{words}: {answer!r} is not in the first {TOP} lines")
    known = set(printed(words, 400).split())
    for columns in (WIDTH, NARROW):
        shown = re.sub(r"… and \d+ more lines?", "", printed(words, columns))
        for word in shown.split():
            if not is_whole(word, known):
                print(f"{words}: at {columns} columns {word!r} is a part of a word")


def main():
    for words, answer in COMMANDS:
        check(words, answer)


sys.exit(main())

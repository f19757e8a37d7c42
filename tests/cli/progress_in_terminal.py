#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Progress under a pseudo-terminal: one line with phase and share that never starts over under the
same name, nothing with --quiet. One difference is printed per line, nothing when all is well."""
import os
import pty
import re
import sys

PROGRAM = ["cairn", "evaluate", "forest", "@iris", "--trees", "6000", "--by", "cv:folds=10",
           "--threads", "1"]
LINE = re.compile(r"^(splits \d+ of \d+(, [^:]+)?|[a-z][^:]*): (\d+) %(, \d+:\d\d left)?$")


def said(words):
    """What the program writes to its terminal on standard error; its report goes nowhere."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execvp(words[0], words)
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    os.waitpid(pid, 0)
    return b"".join(parts).decode()


def main():
    last = {}
    lines = [x for x in re.split(r"\r(?:\x1b\[K)?", said(PROGRAM)) if x.strip()]
    if not any(line.startswith("splits ") for line in lines):
        print("no split was shown:", lines[:5])
    for line in lines:
        match = LINE.match(line)
        if not match:
            print("not a line of progress:", repr(line))
            continue
        phase = re.split(r"[\d,]", match.group(1))[0]
        if int(match.group(3)) < last.get(phase, 0):
            print("started over:", line)
        last[phase] = int(match.group(3))
    quiet = said(PROGRAM + ["--quiet"])
    if quiet:
        print("with --quiet:", repr(quiet))


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion in a real shell under a pseudo-terminal: complete_in_shell.py SHELL

Each case types something and presses the tabulator; what the line then holds, or what is listed
below it, is compared. One difference is printed per line, nothing when all is well. Ends with 77
when the shell is not there."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time

# (typed, what the line must hold afterwards, words that must be listed, words that must not)
CASES = [
    ("cairn fi", "cairn fit ", [], []),
    ("cairn fit rid", "cairn fit ridge ", [], []),
    ("cairn fit tree @we", None, ["weather"], ["iris"]),
    ("cairn describe @titan", "cairn describe @titanic ", [], []),
    ("cairn fit tree x.csv --preset c", None, ["cart", "chaid"], ["cn2"]),
    ("cairn fit tree x.csv --max-d", "cairn fit tree x.csv --max-depth ", [], []),
    ("cairn fit knn x.csv --max-d", "cairn fit knn x.csv --max-d", [], ["--max-depth"]),
    ("cairn fit tree x.csv --target ye", "cairn fit tree x.csv --target yesterday ", [], []),
    ("cairn fit tree x.csv --features yesterday,ag",
     "cairn fit tree x.csv --features yesterday,age ", [], []),
    ("cairn fit tree x.csv --target petal", r"cairn fit tree x.csv --target petal\ length ", [],
     []),
    ("cairn fit tree x.csv --target it", r"cairn fit tree x.csv --target it\'s ", [], []),
    ("cairn fit tree x.csv --target ra", "cairn fit tree x.csv --target ratio:a ", [], []),
    ("cairn fit tree x.csv --with stand", "cairn fit tree x.csv --with standardise ", [], []),
    ("cairn fit tree x.csv --with standardise:div",
     "cairn fit tree x.csv --with standardise:divisor=", [], []),
    ("cairn fit tree x.csv --with scale:method=mid",
     "cairn fit tree x.csv --with scale:method=midrange ", [], []),
    ("cairn evaluate tree x.csv --by hold", "cairn evaluate tree x.csv --by holdout ", [], []),
    ("cairn evaluate tree x.csv --measure auc,acc",
     "cairn evaluate tree x.csv --measure auc,accuracy ", [], []),
    ("cairn predict m", "cairn predict model.cairn ", [], []),
    ("cairn predict model.cairn x", "cairn predict model.cairn x.csv ", [], []),
    ("cairn fit tree missing.csv --target a", "cairn fit tree missing.csv --target a", [], []),
    ("cairn fit tree noise.csv --target a", "cairn fit tree noise.csv --target a", [], []),
    ("cairn fit tree pipe --target a", "cairn fit tree pipe --target a", [], []),
]
MARK = "@@"
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "PS1='@@ '; bind 'set show-all-if-ambiguous on'; bind 'set enable-bracketed-paste off';"
             " bind 'set completion-query-items 0'; bind 'set page-completions off'; . ./script\n"),
    "zsh": (["zsh", "-f", "-i"],
            "PS1='@@ '; unsetopt zle_bracketed_paste beep; autoload -Uz compinit; "
            "compinit -u -D; LISTMAX=1000; . ./script\n"),
    "fish": (["fish", "--no-config", "-i"],
             "function fish_prompt; printf '@@ '; end; set -g fish_greeting; "
             "set -g fish_autosuggestion_enabled 0; source ./script\n"),
}


def read_quiet(terminal, quiet=0.5, most=15.0):
    """What the shell writes until it is quiet."""
    out, begun = b"", time.monotonic()
    while time.monotonic() - begun < most:
        ready, _, _ = select.select([terminal], [], [], quiet if out else 5.0)
        if not ready:
            break
        try:
            out += os.read(terminal, 65536)
        except OSError:
            break
    return out.decode("utf-8", "replace")


def plain(text):
    """Without escape sequences and bells; a letter that is erased is gone."""
    text = re.sub(r"\x1b\][^\x07]*(\x07|\x1b\\)|\x1b[\[(][0-9;?]*[ -/]*[@-~A-Z]|\x1b[=>]|\x07", "", text)
    while "\x08" in text:
        text = re.sub(r"[^\x08]?\x08", "", text, count=1)
    return text


def last_line(text):
    """The line that stands behind the last prompt."""
    line = text.rsplit(MARK + " ", 1)[-1]
    return line.split("\r")[0].split("\n")[0] if MARK in text else ""


def prepare():
    with open("x.csv", "w", encoding="utf-8") as file:
        file.write("age,yesterday,petal length,it's,ratio:a\n1,2,3,4,5\n2,3,4,5,6\n")
    with open("noise.csv", "wb") as file:
        file.write(bytes(range(256)) * 40)
    os.mkfifo("pipe")
    subprocess.run(["cairn", "fit", "majority", "@iris", "--save", "model.cairn"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open("more.txt", "w", encoding="utf-8") as file:
        file.write("no model\n")


def try_case(terminal, case):
    typed, line, listed, unlisted = case
    os.write(terminal, b"\x15")
    read_quiet(terminal, 0.1, 1)
    os.write(terminal, typed.encode())
    shown = read_quiet(terminal, 0.15)
    os.write(terminal, b"\t")
    after = read_quiet(terminal, 0.5)
    everything = plain(shown + after)
    problems = []
    if line is not None:
        wanted = line if line != typed else typed
        if not everything.replace("\r\n", "\n").rstrip("\r").rstrip("\n").endswith(wanted):
            problems.append(f"{typed!r}: the line is {everything[-160:]!r}, not {wanted!r}")
    below = plain(after)
    problems += [f"{typed!r}: {word} is not listed" for word in listed if word not in below]
    problems += [f"{typed!r}: {word} is listed" for word in unlisted if word in below]
    return problems


def main():
    shell = sys.argv[1]
    if not shutil.which(shell):
        sys.exit(77)
    prepare()
    with open("script", "w", encoding="utf-8") as file:
        subprocess.run(["cairn", "help", "--completion", shell], stdout=file, check=True)
    words, setup = SHELLS[shell]
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="dumb" if shell != "fish" else "xterm", COLUMNS="200", LINES="50")
        os.execvp(words[0], words)
    read_quiet(terminal, 1.0)
    os.write(terminal, setup.encode())
    read_quiet(terminal, 1.0)
    for case in CASES:
        for problem in try_case(terminal, case):
            print(problem)
    os.write(terminal, b"\x15exit\n")
    os.close(terminal)
    os.waitpid(child, 0)


main()

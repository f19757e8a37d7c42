# SPDX-License-Identifier: MIT
"""What the checks share: the list of source files, C text without comments, and the closing line."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", "build")
os.chdir(ROOT)


def walk():
    """Every file of an unpacked archive, which has no git: not what was built, nor what is hidden."""
    for folder, inside, names in os.walk("."):
        inside[:] = [name for name in inside
                     if (name == ".ci" or name[0] != ".") and name != "__pycache__"
                     and not os.path.exists(os.path.join(folder, name, "CMakeCache.txt"))]
        yield from (os.path.normpath(os.path.join(folder, name)) for name in names)


def files(*suffixes, under=("",)):
    """Tracked and new files with one of the suffixes below one of the folders, sorted."""
    try:
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        names = walk()
    return sorted(name for name in names
                  if name.endswith(suffixes) and name.startswith(tuple(under))
                  and os.path.isfile(name))


def read(name):
    with open(name, encoding="utf-8", errors="replace") as file:
        return file.read()


TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def code(text, strings=False):
    """C text with comments (and strings, unless wanted) blanked out; lines stay where they are."""
    def blank(match):
        token = match.group(0)
        if token[0] == '"':
            return token if strings else '""'
        if token[0] == "'":
            return token if strings else "' '"
        return re.sub(r"[^\n]", " ", token)
    return TOKEN.sub(blank, text)


def lines_of(name, strings=False):
    """(line number, code) of a C file."""
    return enumerate(code(read(name), strings).split("\n"), 1)


class Findings:
    """Collects findings as file:line: what is wrong; what to do."""

    def __init__(self):
        self.n = 0

    def add(self, name, line, what):
        place = f"{name}:{line}" if line else name
        print(f"{place}: {what}")
        self.n += 1

    def leave(self):
        sys.exit(1 if self.n else 0)

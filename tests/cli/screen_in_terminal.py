#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a terminal gets that a pipe does not: a pager for what is longer than the screen, and the
first rows of predictions. Each case is printed with what the terminal shows of it."""
import fcntl
import os
import pty
import struct
import sys
import termios

ROWS, COLUMNS = 24, 80


def shown(line, pager=None):
    """What a command of the shell writes to its terminal, and nothing of what was in the way."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.environ.pop("PAGER", None)
        if pager is not None:
            os.environ["PAGER"] = pager
        os.execvp("sh", ["sh", "-c", line])
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
    return b"".join(parts).decode().replace("\r\n", "\n").split("\n")[:-1]


def main():
    full = "cairn evaluate tree @iris --full"
    long = len(shown(full))
    print("longer than the screen:", long > ROWS)
    print("through the pager:", shown(full, "sed -n '$='") == [str(long)])
    print("a pager that is left early:", shown(full, "head -n 2"))
    print("short, so without it:", shown("cairn evaluate tree @iris", "wc -l")[0])
    missing = shown(full, "no-such-pager-at-all")
    print("a pager that is missing:", *(line for line in missing if line.startswith("cairn:")))
    print("then all of it is there:", len([line for line in missing if "pager" not in line]) == long)
    rows = shown("cairn predict m.cairn @iris")
    print("predictions:", len(rows), "lines, the last:", rows[-1])
    print("all of them:", len(shown("cairn predict m.cairn @iris --full")), "lines")
    print("in a pipe:", *shown("cairn predict m.cairn @iris 2>/dev/null | wc -l"))


sys.exit(main())

# SPDX-License-Identifier: MIT
"""What pages show below a command is what the command prints.

Usage: docs_shown.py [--write] PAGE...

In a block without a language, a line "$ COMMAND" is run by the shell, all commands of a page in one
folder. The lines below it must stand in what it prints, one after the other; "..." stands for any
lines. What reads a file of the reader's own, or needs a program that is not there, is passed over.
With --write, what differs is replaced by what is printed, at most LONGEST lines of it."""
import subprocess
import sys
import tempfile


LONGEST = 30


def shown(lines):
    """The commands of a page: each with the lines below it, and where these end."""
    commands, current, inside = [], None, False
    for number, line in enumerate(lines):
        if line.startswith("```"):
            inside, current = not inside and line == "```", None
        elif inside and line.startswith("$ "):
            current = [line[2:], [], number + 1]
            commands.append(current)
        elif current and current[0].endswith("\\"):
            current[0] = current[0][:-1] + line
            current[2] = number + 1
        elif current:
            current[1].append(line.rstrip())
            current[2] = number + 1
    return commands


def first_missing(wanted, printed):
    """The first wanted line that is not printed where it should be; None when all are."""
    at, anywhere = 0, True
    for line in wanted:
        if line == "...":
            anywhere = True
            continue
        places = range(at, len(printed) if anywhere else min(at + 1, len(printed)))
        found = next((i for i in places if printed[i] == line), None)
        if found is None:
            return line
        at, anywhere = found + 1, False
    return None


def check(page, write):
    """Run the commands of a page and say what differs, or replace it; the number of commands that
    show something."""
    compared, lines, moved = 0, open(page, encoding="utf-8").read().split("\n"), 0
    with tempfile.TemporaryDirectory() as folder:
        for command, wanted, end in shown(lines):
            run = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            text = run.stdout.decode()
            if run.returncode in (5, 127) and ("No such file" in text or "not found" in text):
                continue
            if run.returncode:
                print(f"{page}: {command}: exit {run.returncode}\n{text}")
                continue
            printed = [line.rstrip() for line in text.strip("\n").split("\n")]
            missing = first_missing(wanted, printed)
            if write and (missing is not None or not wanted):
                fresh = printed if len(printed) <= LONGEST else printed[:LONGEST] + ["..."]
                lines[end + moved - len(wanted):end + moved] = fresh
                moved += len(fresh) - len(wanted)
            elif missing is not None:
                print(f"{page}: {command}\n  does not print: {missing}")
            compared += any(line != "..." for line in wanted)
    if write:
        open(page, "w", encoding="utf-8").write("\n".join(lines))
    return compared


if __name__ == "__main__":
    write = "--write" in sys.argv
    if sum(check(page, write) for page in sys.argv[1:] if page != "--write") < 5 and not write:
        print("hardly a command shows anything")

# SPDX-License-Identifier: MIT
"""Programs on pages are built against the library and print what the page says.

Usage: programs.py SOURCE-FOLDER BUILD-FOLDER C-COMPILER

A ```c block with a main() is a program. Where a ```text block is the next one on the page, the
program is run and must print just that; "..." there stands for any lines. Other ```c blocks are
pieces: they must be valid inside a function in which the names of the pages (ctx, table, model and
so on) are declared. docs/report.md, which shows the inside of the library, is passed over."""
import glob
import os
import re
import subprocess
import sys
import tempfile

SOURCE, BUILD, COMPILER = (os.path.abspath(word) if i < 2 else word
                           for i, word in enumerate(sys.argv[1:4]))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
FRAME = """#include <cairn/cairn.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
int piece(cairn_context *ctx, cairn_table *table, cairn_table *rows, cairn_model *model,
          cairn_params *params, cairn_report *report, cairn_objects *objects,
          cairn_predictor *predictor, cairn_status status, bool failed);
int piece(cairn_context *ctx, cairn_table *table, cairn_table *rows, cairn_model *model,
          cairn_params *params, cairn_report *report, cairn_objects *objects,
          cairn_predictor *predictor, cairn_status status, bool failed)
{
    {
%s
    }
    return status || failed;
}
"""


def build(code, output, folder):
    """The compiler's complaints about a program, or about a piece (output None)."""
    path = os.path.join(folder, "page.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(code)
    words = [COMPILER, "-std=gnu17", "-Wall", "-Wextra", "-Werror", f"-I{SOURCE}/include", path]
    words += ["-fsyntax-only"] if output is None else \
        [f"-L{BUILD}", "-lcairn-course", "-lm", "-pthread", f"-Wl,-rpath,{BUILD}", "-o", output]
    return subprocess.run(words, capture_output=True, text=True).stderr


def differs(wanted, printed):
    pattern = "".join(".*\n" if line == "..." else re.escape(line) + "\n"
                      for line in wanted.rstrip("\n").split("\n"))
    return not re.fullmatch(pattern, printed, re.S)


def check(page):
    """What is wrong on a page; says how many blocks were built and how many programs run."""
    built = compared = 0
    blocks = [match.groups() for match in BLOCK.finditer(open(page, encoding="utf-8").read())]
    with tempfile.TemporaryDirectory() as folder:
        for i, (language, code) in enumerate(blocks):
            if language != "c":
                continue
            program = os.path.join(folder, "program") if re.search(r"\bmain\(", code) else None
            complaint = build(code if program else FRAME % code, program, folder)
            if complaint:
                yield f"{page}: a block of C does not compile:\n{code}\n{complaint}"
                continue
            built += 1
            if program and i + 1 < len(blocks) and blocks[i + 1][0] == "text":
                run = subprocess.run([program], cwd=folder, capture_output=True, text=True,
                                     timeout=120, stdin=subprocess.DEVNULL)
                compared += 1
                if run.returncode or differs(blocks[i + 1][1], run.stdout):
                    yield f"{page}: a program of the page prints\n{run.stdout}{run.stderr}" \
                        f"and not\n{blocks[i + 1][1]}"
    print(f"{page}: {built} built, {compared} run")
    TOTAL.append(compared)


TOTAL = []
os.chdir(SOURCE)
PAGES = ["README.md", *sorted(glob.glob("docs/*.md") + glob.glob("docs/c/*.md"))]
bad = [what for page in PAGES
       if page != "docs/report.md" and "```c\n" in open(page, encoding="utf-8").read()
       for what in check(page)]
print("\n".join(bad))
sys.exit(1 if bad or sum(TOTAL) < 8 else 0)

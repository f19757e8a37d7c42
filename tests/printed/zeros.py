# SPDX-License-Identifier: MIT
"""No number is printed that is 0 but for rounding.

    zeros.py PROGRAM    reads the reports of all lessons, of all examples and of every learner on
                        tables of few rows, and lists numbers that are not 0 and smaller than 1e-12 of
                        the others in their column, or of those that were added in their line.

Numbers that may be so small, probabilities of tails and densities, products and sizes of steps, are
known by the name of their column or value."""
import re
import sys
from corpus import Corpus

TINY = 1e-12
NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?(?![\w.])")
# What is a product or a tail, and so may have any size.
MAY_BE = re.compile(r"\bp\b|P\(|p\(|prob|dens|tail|likelihood|posterior|prior|error|weight|k\(|f\(|phi|"
                    r"alpha|beta|gamma|step|slope|gap|change|fall|tolerance|lambda|learning|"
                    r"responsib|member|condition|violation|certificate|rate|≤|≥|<|>|exp|e\^|·10|"
                    r"worth|belief|state|message|forward|backward|term|class|share|^S\d|Start and moves|Given off|"
                    r"product|gradient|gain|SSE|β|The path|∂|new w|^w *$|Hypotheses", re.I)
# Nothing but sums: what is multiplied, divided or raised may have any size.
ADDED = re.compile(r"[^·/^²³*δfexpPlnlog]*=[^·/^²³*]*[+−][^·/^²³*]*=[^·/^²³*]*")


def numbers(text):
    """The numbers of a line."""
    found = []
    for word in NUMBER.findall(text):
        try:
            found.append(float(word.replace("−", "-").replace(",", "")))
        except ValueError:
            pass
    return found


def residue(x, size):
    return x != 0 and abs(x) < TINY * size


def table(block):
    """Cells of a column that are nothing beside the others."""
    for at, head in enumerate(block["columns"]):
        head = head if isinstance(head, str) else str(head.get("head", head.get("name", "")))
        cells = [row[at] for row in block["rows"] if at < len(row)]
        column = [c for c in cells if isinstance(c, (int, float)) and not isinstance(c, bool)]
        size = max((abs(c) for c in column), default=0)
        for cell in column:
            if residue(cell, size) and not MAY_BE.search(head + " " + (block.get("title") or "")):
                yield f"{cell!r} in column '{head}' of '{block.get('title') or ''}'"


def line(text):
    """The result of a sum that is nothing beside what was added."""
    if not ADDED.fullmatch(text.strip()):
        return
    *added, result = [numbers(side) for side in text.split("=")]
    size = max((abs(x) for side in added for x in side), default=0)
    for x in result:
        if residue(x, size):
            yield f"{x!r} in {text.strip()[:120]}"


def of(report):
    for block in report["blocks"]:
        if block["kind"] == "table":
            yield from table(block)
        elif "text" in block:
            for text in block["text"].split("\n"):
                yield from line(text)


def main():
    if not list(line("a = 3 − 2.9999 − 0.0001 = 5e-17")):
        sys.exit("this test misses: a = ... = 5e-17")
    corpus = Corpus(sys.argv[1])
    found = {}
    for where, report in corpus.reports(corpus.lessons() + corpus.examples() +
                                        list(corpus.plainly())):
        for what in of(report):
            found.setdefault(where, []).append(what)
    print(f"{corpus.ran} commands, {corpus.refused} of them refused")
    for where, whats in found.items():
        print(f"{where}\n    " + "\n    ".join(whats[:5]))
    return 1 if found or corpus.ran - corpus.refused < 800 else 0


if __name__ == "__main__":
    sys.exit(main())

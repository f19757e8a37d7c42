# SPDX-License-Identifier: MIT
"""Every printed command can be pasted.

    commands.py PROGRAM [--full]    runs what lessons, examples, the command-line tests and the pages
                                    of docs/ print, where it is printed and on the same files. --full
                                    also tries the examples with each option set otherwise.

A command is what stands in quotes or alone in a line and begins with "cairn". Those with something to
fill in (DATA, ..., [options]) are counted only; those that name nothing but a verb or an entry must
be known to help; all others must end with code 0."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from corpus import ROOT, Corpus, texts

QUOTED = re.compile(r"(?<![\w'])'(cairn [a-z](?:[^']|(?<=[ =])'[^']*'(?=[ ']))*)'(?![\w'])")
MARKED = re.compile(r"`(cairn [a-z][^`]*)`")
ALONE = re.compile(r"^\s*(?:\$ )?(cairn [a-z]+ .*|cairn [a-z]+)$")
LAST = re.compile(r": (cairn (?:fit|evaluate|compare|tune|describe|predict|draw|compute|convert|export|"
                  r"list|help) [^']*(?:@|--|\w\.\w)[^']*)(?<!\.)$")
NAMED = re.compile(r"(?:^|[:(] ?)(cairn lesson [a-z0-9-]+)(?= \(|\)|$)")
FILL_IN = re.compile(r"(?:^|[\s=:,@'\"/])(?:[A-Z]{2,}[A-Z0-9]*|[A-Z])(?:$|[\s.,:;'\"=])|\.\.\.|…|\[[a-z]+\]|"
                     r"<[a-z]+>")
OWN_FILE = ("no such file", "unable to open database", "could not translate host",
            "definition of service")
WRITES = re.compile(r"--(?:save|out|files|keep|append)\b|>|cairn (?:convert|export)\b")
LEAST = 800


class Findings:
    """What became of the printed commands."""

    def __init__(self, corpus):
        self.corpus = corpus
        self.ran = self.fill_in = self.named = self.own = 0
        self.refused, self.seen = [], set()

    def names_only(self, command):
        """`cairn evaluate`, `cairn fit logistic`: names of things, which help must know."""
        words = command.split()[1:]
        return words[0] not in ("list", "help", "lesson") and len(words) < 5 and \
            all(re.fullmatch(r"(--)?[a-z][a-z0-9-]*", w) for w in words)

    def unknown(self, words):
        """The first word that help does not know, or option that the verb or entry has not."""
        verb = [w for w in words if not w.startswith("--")]
        for word in verb:
            if self.corpus.shell(f"cairn help {word}").returncode:
                return word
        has = self.corpus.shell(f"cairn {' '.join(verb)} --help-all").stdout
        return next((w for w in words if w.startswith("--") and w not in ("--help", "--help-all")
                     and w.replace("--no-", "--") not in has), None)

    def run(self, command, folder):
        """Run in the folder, or in a copy if it writes."""
        if not WRITES.search(command):
            return self.corpus.shell(command, folder)
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(folder, copy, dirs_exist_ok=True, symlinks=True,
                            ignore_dangling_symlinks=True)
            return self.corpus.shell(command, copy)

    def judge(self, command, folder, where, own_files=False):
        key = (command, str(folder))
        if key in self.seen:
            return
        self.seen.add(key)
        if FILL_IN.search(re.sub(r"'[^']*'", "''", command)):
            self.fill_in += 1
            return
        if self.names_only(command) and " " in command:
            unknown = self.unknown(command.split()[1:])
            self.named += 1
            if unknown:
                self.refused.append((where, command, f"there is no '{unknown}'"))
            return
        self.ran += 1
        run = self.run(command, folder)
        if run.returncode == 0:
            return
        said = run.stderr.strip()
        if own_files and any(words in said.lower() for words in OWN_FILE):
            self.own += 1
            return
        self.refused.append((where, command, said))


def commands(text, code=False):
    """The commands of a line, which is one as a whole in a block of code."""
    alone = ALONE.match(text) if code else None
    if alone:
        yield alone.group(1)
        return
    for found in QUOTED.finditer(text):
        yield found.group(1)
    for found in LAST.finditer(text):
        yield found.group(1)
    for found in NAMED.finditer(text):
        yield found.group(1)


def said_by(report, errors):
    for kind, line in texts(report) if report else ():
        yield from commands(line, kind == "verbatim")
    for line in errors.split("\n"):
        yield from commands(line)


def lessons(findings):
    """A lesson's commands in the folder with its files, in order, and what it and they print."""
    corpus = findings.corpus

    def one(path):
        lesson = json.loads(path.read_text())
        folder = tempfile.mkdtemp(dir=corpus.places.name)
        corpus.shell(f"cairn lesson {path.stem} --files .", folder)
        shown = corpus.shell(f"cairn lesson {path.stem} --format json", folder)
        typed = []
        for command in lesson.get("commands", []):
            line = shlex.join(["cairn"] + command["run"])
            typed.append(line)
            run = corpus.shell(line, folder)
            if run.returncode != command.get("exit", 0):
                findings.refused.append((path.stem, line, run.stderr.strip()))
        return path.stem, folder, shown, {" ".join(shlex.split(t)) for t in typed}

    paths = sorted(p for p in (ROOT / "lessons").glob("*.json") if p.stem != "topics")
    with ThreadPoolExecutor(2) as pool:
        for name, folder, shown, typed in pool.map(one, paths):
            for command in said_by(json.loads(shown.stdout), shown.stderr):
                try:
                    if " ".join(shlex.split(command)) in typed:
                        continue
                except ValueError:
                    pass
                # other lessons are the same wherever one stands
                where = corpus.folder.name if command.startswith("cairn lesson") else folder
                findings.judge(command, where, f"lesson {name}")


def examples(findings, full):
    corpus = findings.corpus
    lines = corpus.examples() + corpus.plainly() + (list(corpus.otherwise()) if full else [])
    lines += [[form.replace(" --steps", "") for form in forms] for forms in corpus.examples()]

    def one(forms):
        for line in forms:
            run = corpus.shell(line + " --format json")
            if run.returncode == 0:
                break
        brief = corpus.shell(line).stdout if line.startswith("cairn fit") else ""
        return line, run, brief

    with ThreadPoolExecutor(2) as pool:
        for line, run, brief in pool.map(one, lines):
            for text in brief.split("\n\n"):  # lines of a paragraph are wrapped
                for command in commands(re.sub(r"\n *", " ", text).strip()):
                    findings.judge(command, corpus.folder.name, line)
            try:
                report = json.loads(run.stdout)
            except ValueError:
                report = None
            if not isinstance(report, dict) or "blocks" not in report:
                report = None
            for command in said_by(report, run.stderr):
                findings.judge(command, corpus.folder.name, line)


# Stands before the program in the scripts of the command-line tests: keeps the folder as it is
# when something is printed, so that what is printed can be tried there.
RECORDER = """#!{python}
import os, shutil, subprocess, sys, tempfile
sys.path.insert(0, {here!r})
run = subprocess.run([{program!r}] + sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
sys.stdout.buffer.write(run.stdout); sys.stderr.buffer.write(run.stderr)
if sys.argv[1:2] not in (["help"], ["list"], ["complete"]) and "--help" not in sys.argv:
    text = (run.stdout + b"\\n" + run.stderr).decode(errors="replace")
    if "'cairn " in text or "\\ncairn " in text:
        kept = tempfile.mkdtemp(dir={kept!r})
        shutil.copytree(".", kept + "/files", symlinks=True)
        open(kept + "/said", "w").write(text)
        open(kept + "/typed", "w").write(" ".join(sys.argv[1:]))
sys.exit(run.returncode)
"""


def scripts(findings):
    """The command-line tests whose printed text has a command."""
    corpus, base = findings.corpus, ROOT / "tests/cli"
    kept = tempfile.mkdtemp(dir=corpus.places.name)
    recorder = pathlib.Path(tempfile.mkdtemp(dir=corpus.places.name), "cairn")
    recorder.write_text(RECORDER.format(python=sys.executable, here=str(ROOT / "tests/printed"),
                                        program=corpus.program, kept=kept))
    recorder.chmod(0o755)
    environment = dict(corpus.environment, ROOT=str(ROOT),
                       PATH=f"{recorder.parent}:{corpus.environment['PATH']}")
    for script in sorted(base.glob("*.sh")):
        printed = "".join(p.read_text(errors="replace") for p in base.glob(script.name + ".std*"))
        if not re.search(r"'cairn |^cairn [a-z]", printed, re.M) or \
                script.name.startswith(("help_", "lesson_", "list_", "complete_")):
            continue
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["sh", str(script)], cwd=folder, env=environment, check=False,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=120)
        for place in sorted(pathlib.Path(kept).iterdir()):
            typed = (place / "typed").read_text()
            for line in (place / "said").read_text().split("\n"):
                for command in commands(line):
                    if command.startswith("cairn help ") and command.split()[-1] in typed.split():
                        continue  # the word that nobody knows is searched for
                    findings.judge(command, place / "files", f"{script.name}: cairn {typed}")
            shutil.rmtree(place)


def blocks(text):
    """Lines of a page that stand in its blocks as commands, as tests/cli/docs_run.sh has them."""
    inside = False
    for line in text.split("\n"):
        if line.startswith("```"):
            inside = not inside
        elif inside and ALONE.match(line) and not FILL_IN.search(line):
            yield ALONE.match(line).group(1)


def pages(findings):
    """What pages name in a sentence; commands in their blocks are run by cli_docs_run."""
    corpus = findings.corpus
    for page in [ROOT / "README.md"] + sorted((ROOT / "docs").rglob("*.md")):
        text = re.sub(r"<!-- cairn help.*?<!-- end -->", "", page.read_text(), flags=re.S)
        named = [m for line in re.sub(r"^```.*?^```", "", text, flags=re.S | re.M).split("\n")
                 for m in MARKED.findall(line) if not re.search("refuse|asked back", line)]
        folder, made = tempfile.mkdtemp(dir=corpus.places.name), False
        for command in named:
            command = command.replace("\\|", "|")
            if not made and not FILL_IN.search(command) and not findings.names_only(command) and \
                    "no such file" in findings.run(command, folder).stderr:
                made = True
                for line in blocks(text):
                    corpus.shell(line, folder)
            findings.judge(command, folder, str(page.relative_to(ROOT)), own_files=True)


def main():
    os.environ["COLUMNS"] = "100000"
    findings = Findings(Corpus(sys.argv[1]))
    examples(findings, "--full" in sys.argv)
    lessons(findings)
    scripts(findings)
    pages(findings)
    print(f"{findings.ran} printed commands run, {findings.named} names of verbs and entries asked "
          f"for, {findings.fill_in} with something to fill in, {findings.own} on files of the "
          "reader's own")
    for where, command, said in findings.refused:
        print(f"REFUSED {command}\n    {said}\n    printed by {where}")
    if findings.ran < LEAST:
        print(f"only {findings.ran} commands")
    return 1 if findings.refused or findings.ran < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())

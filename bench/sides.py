# SPDX-License-Identifier: MIT
"""The sides of a task: commands that are run and timed, and what is read of their answers.

A task is a name, a title, our side, the peers with the wanted ratio and their side, the file that it
needs and cannot make (one of FILES), and at most how many rounds it is run. A side is a function of
the setup that gives seconds, memory in MB and a word on the quality of the answer."""
import json
import math
import os
import subprocess
import tempfile
import time
from typing import NamedTuple, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"
THREADS = "2"
FASHION = "/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz"
FASHION_TEST = "/usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz"
# Files that the bench cannot make: BENCH_<NAME> says where each is, else it is sought beside the data.
FILES = {"A9A": "a9a_trn.libsvm.zst", "A9A_TEST": "a9a_tst.libsvm.zst",
         "ADULT": "adult_train.csv.zst", "ADULT_TEST": "adult_test.csv.zst",
         "HOUSING": "california_housing.csv", "LETTER": "letter.csv", "MUSHROOM": "mushroom.csv",
         "NEWS": "20news_train.csv.zst", "NEWS_TEST": "20news_test.csv.zst"}


class Failed(Exception):
    """A side ended with an exit code other than 0: its command, and what it said."""


class Absent(Exception):
    """A peer that is not on this machine, and what is missing."""


class Task(NamedTuple):
    name: str
    title: str
    ours: object
    peers: list  # (name, wanted ratio or None, side)
    needs: Optional[str] = None
    rounds: int = 1000


class Setup:
    def __init__(self, build, data):
        self.cairn = os.path.join(build, "cairn")
        self.data = data
        self.items = os.environ.get("BENCH_ITEMS", data)

    def path(self, argument):
        """Where an argument of a side points to: DATA/..., a name of FILES, or itself."""
        if argument in FILES:
            return os.environ.get("BENCH_" + argument, os.path.join(self.data, FILES[argument]))
        return argument.replace("DATA", self.data, 1) if argument.startswith("DATA/") else argument


def run(command, **variables):
    """Run a command; give its output, wall seconds, CPU seconds and peak memory in MB."""
    environment = dict(os.environ, OMP_NUM_THREADS=THREADS, OPENBLAS_NUM_THREADS=THREADS, **variables)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text = out.read().decode()
        if process.returncode:
            raise Failed("%s\n%s" % (" ".join(command), err.read().decode()))
    return text, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def cairn(arguments, seconds="time.fit", quality=None):
    """A Cairn command whose report names its time; quality(values) describes the result."""
    def side(setup):
        text, _, _, memory = run([setup.cairn] + [setup.path(a) for a in arguments] +
                                 ["--threads", THREADS, "--format", "json", "--timings"])
        values = json.loads(text)["values"]
        return values[seconds], memory, quality(values) if quality else ""
    return side


def cairn_process(arguments, quality=None):
    """A Cairn command timed as a whole process."""
    def side(setup):
        _, wall, _, memory = run([setup.cairn] + [setup.path(a) for a in arguments] +
                                 ["--threads", THREADS, "--quiet"])
        return wall, memory, quality(setup) if quality else ""
    return side


def peer(script, *arguments, whole=False):
    """A peer script prints one line of JSON: {"seconds": ..., "quality": "..."}."""
    def side(setup):
        path = os.path.join(HERE, "peers", script)
        program = ["Rscript", "--vanilla", path] if script.endswith(".R") else [PYTHON, path]
        try:
            text, wall, _, memory = run(program + [setup.path(a) for a in arguments])
        except FileNotFoundError as failure:
            raise Absent("no program " + program[0]) from failure
        except Failed as failure:
            if "ModuleNotFoundError" in str(failure) or "there is no package" in str(failure):
                raise Absent(str(failure).strip().splitlines()[-1]) from failure
            raise
        answer = json.loads(text.strip().splitlines()[-1])
        return (wall if whole else answer["seconds"]), memory, answer["quality"]
    return side


def node(script, *arguments):
    """A peer that runs in Node.js, with packages in the folder BENCH_NODE."""
    def side(setup):
        command = ["node", os.path.join(HERE, "peers", script)] + [setup.path(a) for a in arguments]
        try:
            text, _, _, memory = run(command)
        except FileNotFoundError:
            raise Absent("no program node")
        except Failed as failure:
            if "Cannot find module" not in str(failure):
                raise
            raise Absent("BENCH_NODE names no folder with its package")
        answer = json.loads(text.strip().splitlines()[-1])
        return answer["seconds"], memory, answer["quality"]
    return side


def growth(side_of, size):
    """A side at 1, 2, 4 and 8 times the size: seconds of the last, and the exponent of all."""
    def side(setup):
        seen = [side_of(size * times)(setup) for times in (1, 2, 4, 8)]
        logs = [math.log(seconds) / math.log(2) for seconds, _, _ in seen]
        slope = sum((i - 1.5) * at for i, at in enumerate(logs)) / 5
        return seen[-1][0], seen[-1][1], "grows with exponent %.2f: %s s" % (
            slope, ", ".join("%.3f" % s for s, _, _ in seen))
    return side


def lines_of(path):
    """Lines below the header."""
    with open(path) as file:
        return sum(1 for _ in file) - 1


def rows_of(values):
    return "%d rows" % values["model.rows"]


def accuracy_of(predictions):
    """Share of right answers in a CSV of predictions of the cover test rows."""
    def judge(setup):
        with open(setup.path("DATA/cover-test.csv")) as truth, open(setup.path(predictions)) as said:
            next(truth), next(said)
            pairs = [(t.rstrip().rsplit(",", 1)[1], s.split(",")[0].strip())
                     for t, s in zip(truth, said)]
        return "accuracy %.4f" % (sum(t == s for t, s in pairs) / len(pairs))
    return judge


def training_accuracy(values):
    return "accuracy on the training rows %.6f" % values["training.accuracy"]


def pieces(values):
    if "members" in values:
        return "%d members" % values["members"]
    return "%d leaves" % values["tree.leaves"] if "tree.leaves" in values else "%d rules" % values["rules"]


def then_test(command, model, rows):
    """Time of fitting (all but reading), and the accuracy on other rows."""
    def side(setup):
        answer = cairn(command, "time.fit", pieces)(setup)
        text, _, _, _ = run([setup.cairn, "evaluate", setup.path(model), setup.path(rows),
                             "--format", "json"])
        accuracy = json.loads(text)["values"]["accuracy"]
        return answer[0], answer[1], answer[2] + ", accuracy %.6f" % accuracy
    return side


def number_classes(source, target, numbers):
    """Copy a libsvm file with numbers in place of the names of its classes."""
    with open(source) as lines, open(target, "w") as out:
        for line in lines:
            name, rest = line.split(" ", 1)
            out.write("%d %s" % (numbers.setdefault(name, len(numbers) + 1), rest))
    os.remove(source)


def make_text(setup):
    """tf-idf of the newsgroup messages, for training and for testing, as libsvm files."""
    train, test = setup.path("DATA/news.tfidf.libsvm"), setup.path("DATA/news-test.tfidf.libsvm")
    if os.path.exists(test):
        return
    recipe, named, numbers = setup.path("DATA/news.recipe"), setup.path("DATA/named.libsvm"), {}
    run([setup.cairn, "convert", setup.path("NEWS"), named, "--target", "group",
         "--with", "bag:min-documents=2", "--with", "tf-idf", "--save", recipe, "--quiet"])
    number_classes(named, train, numbers)
    run([setup.cairn, "convert", setup.path("NEWS_TEST"), named, "--target", "group",
         "--recipe", recipe, "--quiet"])
    number_classes(named, test, numbers)

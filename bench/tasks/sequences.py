# SPDX-License-Identifier: MIT
"""Hidden Markov models against plain loops in C (peers/hmm.c)."""
import json

from sides import Task, cairn, run


def loops(*arguments):
    """The program that bench/run makes of peers/hmm.c."""
    def side(setup):
        text, _, _, memory = run([setup.path("DATA/hmm")] + [setup.path(a) for a in arguments])
        answer = json.loads(text)
        return answer["seconds"], memory, answer["quality"]
    return side


def learned(steps, model):
    """Twenty iterations of Baum and Welch from a given model."""
    return cairn(["fit", "hmm", steps, "--given", model, "--max-iter", "20", "--tolerance", "0", "--floor", "1e-10"],
                 "time.fit", lambda v: "log-likelihood %.10g" % v["log_likelihood"])


def decoded(setup):
    """The most probable path, by a model that is kept as it is given."""
    model, few = (setup.path("DATA/path." + end) for end in ("cairn", "few.csv"))
    with open(setup.path("DATA/path.csv")) as steps, open(few, "w") as file:
        file.writelines(line for line, _ in zip(steps, range(1000)))
    run([setup.cairn, "fit", "hmm", few, "--given", setup.path("DATA/path.txt"), "--max-iter", "0",
         "--save", model, "--quiet"])
    return cairn(["predict", model, "DATA/path.csv", "--output", "label"], "time.predict",
                 lambda v: "%d steps" % v["rows"])(setup)


TASKS = [
    Task("hmm-symbols", "Baum-Welch, 4 states, 20 symbols, 200,000 steps, 20 iterations",
         learned("DATA/letters.csv", "DATA/letters.txt"),
         [("plain loop in C", 2.0, loops("symbols", "DATA/letters.txt", "DATA/letters.csv", "20"))]),
    Task("hmm-numbers", "Gaussian HMM, 4 states, 3 dimensions, 200,000 steps, 20 iterations",
         learned("DATA/signals.csv", "DATA/signals.txt"),
         [("plain loop in C", 2.0, loops("numbers", "DATA/signals.txt", "DATA/signals.csv", "20"))]),
    Task("hmm-viterbi", "Viterbi, 8 states, 10,000,000 steps", decoded,
         [("plain loop in C", 1.5, loops("viterbi", "DATA/path.txt", "DATA/path.csv"))]),
]

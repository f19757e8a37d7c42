#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Hidden Markov models against passes in logarithms with numpy and scipy: after some iterations of
Baum-Welch from the same start the log-likelihoods, moves, symbols, means and covariances are the same to
1e-8 of their size, for symbols and for vectors, short sequences and one that is cut into chunks; and the
most probable path is.
Usage: bench/agree/hmm.py [BUILD]; exit 0 when all agree."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

CAIRN = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "cairn"))
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
failures, compared = [], 0


def near(what, ours, theirs):
    global compared
    compared += 1
    if abs(ours - theirs) > 1e-8 * max(1, abs(theirs)):
        failures.append(what)
        print("not so: %s: %.12g, %.12g" % (what, ours, theirs))


def cairn(*arguments):
    done = subprocess.run([CAIRN, *arguments], capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit("failed: %s\n%s" % (" ".join(arguments), done.stderr))
    return done.stdout


def write_model(m):
    n = len(m["start"])
    lines = ["states " + " ".join("q%d" % i for i in range(n))]
    row = lambda head, numbers: lines.append(head + " " + " ".join("%.17g" % x for x in np.ravel(numbers)))
    if "emit" in m:
        lines.append("symbols " + " ".join(chr(97 + k) for k in range(m["emit"].shape[1])))
    row("start", m["start"])
    for i in range(n):
        row("from q%d" % i, m["move"][i])
        if "emit" in m:
            row("emit q%d" % i, m["emit"][i])
        else:
            row("mean q%d" % i, m["mean"][i])
            row("covariance q%d" % i, m["covariance"][i])
    with open(os.path.join(FOLDER, "model.txt"), "w") as file:
        file.write("\n".join(lines) + "\n")


def given_off(m, x):
    if "emit" in m:
        return np.log(m["emit"][:, x].T)
    return np.stack([multivariate_normal(m["mean"][i], m["covariance"][i]).logpdf(x)
                     for i in range(len(m["start"]))], axis=1)


def passes(m, x):
    """Forward and backward numbers and the likelihood, all in logarithms."""
    b, move = given_off(m, x), np.log(m["move"])
    alpha, beta = np.zeros_like(b), np.zeros_like(b)
    alpha[0] = np.log(m["start"]) + b[0]
    for t in range(1, len(x)):
        alpha[t] = logsumexp(alpha[t - 1][:, None] + move, axis=0) + b[t]
    for t in range(len(x) - 2, -1, -1):
        beta[t] = logsumexp(move + b[t + 1] + beta[t + 1], axis=1)
    return b, alpha, beta, logsumexp(alpha[-1])


def iterate(m, x):
    """The next model and the log-likelihood of this one."""
    b, alpha, beta, log = passes(m, x)
    gamma = np.exp(alpha + beta - log)
    pairs = np.exp(alpha[:-1, :, None] + np.log(m["move"]) + (b[1:] + beta[1:])[:, None, :] - log).sum(axis=0)
    total = gamma.sum(axis=0)
    out = {"start": gamma[0], "move": pairs / pairs.sum(axis=1, keepdims=True)}
    if "emit" in m:
        out["emit"] = np.stack([gamma[x == k].sum(axis=0) for k in range(m["emit"].shape[1])], axis=1) / total[:, None]
    else:
        out["mean"] = gamma.T @ x / total[:, None]
        off = [x - mean for mean in out["mean"]]
        out["covariance"] = [(gamma[:, i, None] * o).T @ o / total[i] for i, o in enumerate(off)]
    return out, log


def path(m, x):
    b, move = given_off(m, x), np.log(m["move"])
    delta, came = np.log(m["start"]) + b[0], []
    for t in range(1, len(x)):
        to = delta[:, None] + move
        came.append(to.argmax(axis=0))
        delta = to.max(axis=0) + b[t]
    states = [int(delta.argmax())]
    for row in reversed(came):
        states.append(int(row[states[-1]]))
    return states[::-1]


def compare(name, m, x, iterations):
    write_model(m)
    with open(os.path.join(FOLDER, "steps.csv"), "w") as file:
        numbers = x.ndim == 2
        print(",".join("x%d" % k for k in range(x.shape[1])) if numbers else "seen", file=file)
        for step in x:
            print(",".join("%.17g" % v for v in step) if numbers else chr(97 + step), file=file)
    common = ["fit", "hmm", "steps.csv", "--given", "model.txt", "--tolerance", "0", "--floor", "1e-10"]
    cairn(*common, "--max-iter", "0", "--save", "kept.cairn")
    said = [int(s) - 1 for s in cairn("predict", "kept.cairn", "steps.csv").split()[1:]]
    near(name + ": steps that differ on the path", sum(a != b for a, b in zip(said, path(m, x))), 0)
    values = json.loads(cairn(*common, "--max-iter", str(iterations), "--format", "json"))["values"]
    for i in range(iterations + 1):
        after, log = iterate(m, x)
        near("%s: log-likelihood %d" % (name, i), values["log.%d" % i], log)
        m, last = after, m
    for i in range(len(last["start"])):
        for j, p in enumerate(last["move"][i]):
            near("%s: move %d %d" % (name, i, j), values["move.q%d.q%d" % (i, j)], p)
        for k, p in enumerate(last["emit"][i] if "emit" in last else []):
            near("%s: emit %d %d" % (name, i, k), values["emit.q%d.%s" % (i, chr(97 + k))], p)
        for k in range(len(last["mean"][i]) if "mean" in last else 0):
            near("%s: mean %d %d" % (name, i, k), values["mean.q%d.%d" % (i, k + 1)], last["mean"][i][k])
            for l in range(len(last["mean"][i])):
                near("%s: covariance %d %d %d" % (name, i, k, l),
                     values["covariance.q%d.%d.%d" % (i, k + 1, l + 1)], last["covariance"][i][k][l])


random = np.random.default_rng(1)
shares = lambda *shape: random.dirichlet(np.ones(shape[-1]), size=shape[:-1])
for steps in (25, 40, 3000):
    for n in (2, 3, 7):
        model = {"start": shares(1, n)[0], "move": shares(n, n), "emit": shares(n, 5)}
        compare("%d steps, %d states, symbols" % (steps, n), model, random.integers(0, 5, steps), 4)
        if steps < 40:
            continue
        model = {"start": shares(1, n)[0], "move": shares(n, n), "mean": 3 * random.normal(size=(n, 2)) + 50,
                 "covariance": [np.eye(2) * (1 + i) for i in range(n)]}
        compare("%d steps, %d states, vectors" % (steps, n), model, 3 * random.normal(size=(steps, 2)) + 50, 4)
print("%d numbers compared, %d not the same" % (compared, len(failures)))
sys.exit(1 if failures else 0)

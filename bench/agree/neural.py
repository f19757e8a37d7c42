#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Networks against numpy and scikit-learn: every solver from given weights, step by step, against
the same steps written down with matrices; a network without hidden layer against logistic
regression; accuracies of small networks against MLPClassifier. `--build DIR`."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

FUNCTIONS = {
    "sigmoid": (lambda z: 1 / (1 + np.exp(-z)), lambda z, y: y * (1 - y)),
    "tanh": (np.tanh, lambda z, y: 1 - y * y),
    "th": (lambda z: np.tanh(z / 2), lambda z, y: (1 - y * y) / 2),
    "relu": (lambda z: np.maximum(z, 0), lambda z, y: (z > 0) * 1.0),
    "softplus": (lambda z: np.log1p(np.exp(z)), lambda z, y: 1 / (1 + np.exp(-z))),
    "linear": (lambda z: z, lambda z, y: np.ones_like(z)),
}
failed = []


def cairn(build, *arguments):
    done = subprocess.run([os.path.join(build, "cairn")] + list(arguments) + ["--format", "json"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit("cairn %s\n%s" % (" ".join(arguments), done.stderr))
    return json.loads(done.stdout)["values"]


def judge(what, off, most):
    print("%-60s off by %.3g, at most %.3g" % (what, off, most))
    if not off <= most:
        failed.append(what)


def gradient(x, t, layers):
    """-dE/dW of every layer, the bias in the last column; E = sum of (t - y)^2 / 2 over the rows."""
    outs, nets = [x], []
    for weights, name in layers:
        nets.append(outs[-1] @ weights[:, :-1].T + weights[:, -1])
        outs.append(FUNCTIONS[name][0](nets[-1]))
    delta, found = (t - outs[-1]) * FUNCTIONS[layers[-1][1]][1](nets[-1], outs[-1]), []
    for at in range(len(layers) - 1, -1, -1):
        found.insert(0, delta.T @ np.column_stack([outs[at], np.ones(len(x))]))
        if at:
            delta = delta @ layers[at][0][:, :-1] * FUNCTIONS[layers[at - 1][1]][1](nets[at - 1], outs[at])
    return found


def descend(x, t, layers, solver, eta, epochs, batch, decay):
    """The weights after so many epochs of mini-batches in the order of the rows."""
    first = [np.zeros_like(w) for w, _ in layers]
    second, step = [np.zeros_like(w) for w, _ in layers], 0
    for _ in range(epochs):
        for begin in range(0, len(x), batch):
            part = slice(begin, begin + batch)
            step += 1
            for k, g in enumerate(gradient(x[part], t[part], layers)):
                w = layers[k][0]
                g = g / len(x[part])
                g[:, :-1] -= decay * w[:, :-1]
                if solver == "plain":
                    w += eta * g
                elif solver == "adam":
                    first[k] = 0.9 * first[k] + 0.1 * g
                    second[k] = 0.999 * second[k] + 0.001 * g * g
                    w += eta * first[k] / (1 - 0.9 ** step) / (np.sqrt(second[k] / (1 - 0.999 ** step)) + 1e-8)
                else:
                    first[k] = 0.9 * first[k] + eta * g
                    w += first[k] if solver == "momentum" else 0.9 * first[k] + eta * g
    return layers


def text_of(layers, inputs):
    lines, before = [], inputs
    for at, (weights, name) in enumerate(layers):
        nodes = ["n%d_%d" % (at + 1, j + 1) for j in range(len(weights))]
        for node, w in zip(nodes, weights):
            terms = " ".join("%+.17g*%s" % (value, source) for value, source in zip(w, before))
            lines.append("%s = %s(%.17g %s)" % (node, name, w[-1], terms))
        before = nodes
    return "\n".join(lines) + "\n"


def check_solvers(build, folder, random):
    data, start = os.path.join(folder, "rows.csv"), os.path.join(folder, "net.txt")
    for solver in ("plain", "momentum", "nesterov", "adam"):
        for shape in (("tanh",), ("sigmoid", "relu"), ("th", "softplus")):
            sizes = [3] + [4, 3][:len(shape)] + [2]
            layers = [(random.normal(size=(sizes[k + 1], sizes[k] + 1)), name)
                      for k, name in enumerate(shape + ("linear",))]
            x, t = random.normal(size=(23, 3)), random.normal(size=(23, 2))
            with open(data, "w") as file:
                file.write("a,b,c,t1,t2\n")
                for row in np.column_stack([x, t]):
                    file.write(",".join("%.17g" % v for v in row) + "\n")
            with open(start, "w") as file:
                file.write(text_of(layers, "abc"))
            for precision, most in (("double", 1e-10), ("single", 3e-4)):
                values = cairn(build, "fit", "network", data, "--target", "t1,t2", "--start", start, "--solver", solver,
                               "--update", "batch", "--batch", "5", "--eta", "0.02", "--epochs", "7", "--order", "given",
                               "--decay", "0.01", "--scale", "none", "--target-scale", "none", "--no-keep-best",
                               "--precision", precision)
                copy = descend(x, t, [(w.copy(), name) for w, name in layers], solver, 0.02, 7, 5, 0.01)
                ours = [v for key, v in values.items() if ".weight." in key or key.startswith("weight.")]
                theirs = [v for w, _ in copy for row in w for v in [row[-1]] + list(row[:-1])]
                off = np.abs(np.array(ours) - theirs).max() if len(ours) == len(theirs) else np.inf
                judge("%s, %s, %s" % (solver, "-".join(shape), precision), off, most)


def check_logistic(build, folder):
    x, y = load_breast_cancer(return_X_y=True)
    x = StandardScaler().fit_transform(x)[:, :6]
    data = os.path.join(folder, "cancer.csv")
    with open(data, "w") as file:
        file.write("a,b,c,d,e,f,class\n")
        for row, label in zip(x, y):
            file.write(",".join("%.17g" % v for v in row) + ",%s\n" % ("yes" if label else "no"))
    values = cairn(build, "fit", "network", data, "--target", "class", "--positive", "yes", "--hidden", "0",
                   "--solver", "lbfgs", "--decay", "0.01", "--epochs", "2000", "--change", "1e-14", "--scale", "none")
    model = LogisticRegression(C=1 / (0.01 * len(x)), tol=1e-12, max_iter=10000).fit(x, y)
    ours = [values["weight.o1." + name] for name in "abcdef"]
    judge("no hidden layer, L-BFGS, against logistic regression", np.abs(ours - model.coef_[0]).max(), 1e-4)


def check_accuracy(build, folder):
    data, fresh = os.path.join(folder, "train.csv"), os.path.join(folder, "test.csv")
    model = os.path.join(folder, "model.cairn")
    for name, load in (("digits", load_digits), ("wine", load_wine), ("breast cancer", load_breast_cancer)):
        x, y = load(return_X_y=True)
        parts = train_test_split(x, y, test_size=0.4, random_state=1)
        for file_name, part, labels in ((data, parts[0], parts[2]), (fresh, parts[1], parts[3])):
            with open(file_name, "w") as file:
                file.write(",".join("x%d" % j for j in range(x.shape[1])) + ",class\n")
                for row, label in zip(part, labels):
                    file.write(",".join("%.17g" % v for v in row) + ",c%d\n" % label)
        ours, theirs = [], []
        scaler = StandardScaler().fit(parts[0])
        for seed in range(1, 6):
            cairn(build, "fit", "network", data, "--target", "class", "--hidden", "20", "--solver", "adam", "--eta", "0.01",
                  "--epochs", "50", "--seed", str(seed), "--save", model, "--force")
            ours.append(cairn(build, "evaluate", model, fresh)["accuracy"])
            peer = MLPClassifier((20,), activation="tanh", learning_rate_init=0.01, batch_size=32, alpha=0, max_iter=50,
                                 n_iter_no_change=1000, random_state=seed)
            peer.fit(scaler.transform(parts[0]), parts[2])
            theirs.append(peer.score(scaler.transform(parts[1]), parts[3]))
        judge("accuracy of %s: %.4f and %.4f" % (name, np.mean(ours), np.mean(theirs)),
              abs(np.mean(ours) - np.mean(theirs)), 0.02)


parser = argparse.ArgumentParser()
parser.add_argument("--build", default="build")
build = os.path.abspath(parser.parse_args().build)
warnings.simplefilter("ignore")
with tempfile.TemporaryDirectory() as folder:
    check_solvers(build, folder, np.random.default_rng(7))
    check_logistic(build, folder)
    check_accuracy(build, folder)
sys.exit("does not agree: " + "; ".join(failed) if failed else 0)

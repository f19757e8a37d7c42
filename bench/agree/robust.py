#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Huber regression against MASS::rlm and quantile regression against quantreg::rq: coefficients,
standard errors (rq: se="nid"), the loss, with heavy tails, levels and repeated rows.
Usage: bench/agree/robust.py [BUILD]; exit 0 when all agree to 1e-7 of their size."""
import json
import os
import subprocess
import sys
import tempfile
import numpy as np

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
FOLDER = tempfile.mkdtemp()
PATH = os.path.join(FOLDER, "table.csv")
FORMULAS = ["y ~ x", "y ~ x*z", "y ~ x + f", "y ~ poly(x,3) + z", "y ~ x + z - 1"]
TAUS = [0.05, 0.25, 0.5, 0.9]
failed = 0


def make(n=700, seed=8):
    rng = np.random.default_rng(seed)
    x, z, f = rng.normal(size=n), rng.uniform(0, 4, n), rng.choice(["u", "v", "w"], n)
    y = 3 + 2 * x - z + (f == "v") + rng.standard_t(2, n) * (1 + z / 4)
    k = rng.integers(1, 4, n)
    with open(PATH, "w") as out:
        out.write("x,z,f,y,k\n")
        for i in range(n):
            out.write("%r,%r,%s,%r,%d\n" % (x[i], z[i], f[i], y[i], k[i]))


def in_r(lines):
    script = os.path.join(FOLDER, "script.R")
    head = ["suppressMessages({library(MASS); library(quantreg)})", 't <- read.csv("%s")' % PATH,
            "t$f <- factor(t$f, levels=unique(t$f))", "r <- t[rep(seq_len(nrow(t)), t$k),]",
            "say <- function(...) cat(format(c(...), digits=17), sep=' ', fill=1e6)"]
    open(script, "w").write("\n".join(head + lines) + "\n")
    said = subprocess.run(["Rscript", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True, text=True).stdout
    return [[float(v) for v in line.split()] for line in said.strip().split("\n")]


def in_cairn(learner, formula, *more):
    command = [os.path.join(BUILD, "cairn"), "fit", learner, PATH, "--formula", formula, "--format",
               "json", "--quiet"] + list(more)
    values = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["values"]
    names = [name[12:] for name in values if name.startswith("coefficient.")]
    return [values[kind + "." + n] for n in names for kind in ("coefficient", "se")], values


def check(what, ours, theirs, tolerance=1e-7):
    global failed
    ours, theirs = np.array(ours, float), np.array(theirs, float)
    off = np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs)))
    failed += not off <= tolerance
    print("%-56s %8.1e%s" % (what, off, "" if off <= tolerance else " DIFFERS"))


make()
lines = []
for formula in FORMULAS:
    lines += ["m <- rlm(%s, data=t, maxit=1000, acc=1e-13)" % formula, "say(t(coef(summary(m))[,1:2]))"]
lines += ["m <- rlm(y ~ x + z, data=r, maxit=1000, acc=1e-13)", "say(t(coef(summary(m))[,1:2]))"]
for formula in FORMULAS:
    for tau in TAUS:
        lines += ["m <- rq(%s, %r, t)" % (formula, tau), "say(t(coef(summary(m, se='nid'))[,1:2]))", "say(m$rho)"]
lines += ["m <- rq(y ~ x + z, 0.3, r)", "say(coef(m))"]
answers = iter(in_r(lines))
for formula in FORMULAS:
    check("huber %s" % formula, in_cairn("huber", formula)[0], next(answers))
check("huber, repeated rows", in_cairn("huber", "y ~ x + z", "--weight", "k")[0], next(answers))
for formula in FORMULAS:
    for tau in TAUS:
        ours, values = in_cairn("quantile-regression", formula, "--tau", repr(tau))
        theirs = next(answers)
        if "f" not in formula: # with levels, several planes are best
            check("quantile %g, %s" % (tau, formula), ours, theirs)
        check("    loss", [values["loss"]], next(answers))
ours = in_cairn("quantile-regression", "y ~ x + z", "--tau", "0.3", "--weight", "k")[0]
check("quantile 0.3, repeated rows", ours[::2], next(answers))
sys.exit(1 if failed else 0)

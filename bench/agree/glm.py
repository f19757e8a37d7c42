#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Generalised linear models against R's glm: coefficients, standard errors, p-values, deviances,
dispersion and AIC for every family and link, with offsets and repeated rows; robust and grouped
standard errors against the package sandwich. Usage: bench/agree/glm.py [BUILD]; exit 0 when all
agree to 1e-8 of their size (AIC and sandwich to 1e-7)."""
import json
import os
import subprocess
import sys
import tempfile
import numpy as np

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
FOLDER = tempfile.mkdtemp()
PATH = os.path.join(FOLDER, "table.csv")
# family, link, R's family, formula, Cairn's further options, R's further arguments
CASES = [
    ("gaussian", "identity", "gaussian", "g ~ x + z*f", [], ""),
    ("gaussian", "log", "gaussian('log')", "p ~ x + z", [], ", mustart=p"),
    ("binomial", "logit", "binomial", "b ~ x + f", [], ""),
    ("binomial", "probit", "binomial('probit')", "b ~ x*z", [], ""),
    ("binomial", "cloglog", "binomial('cloglog')", "b ~ x + z", [], ""),
    ("poisson", "log", "poisson", "c ~ x*f", [], ""),
    ("poisson", "log", "poisson", "c ~ x + offset(log(n))", [], ""),
    ("poisson", "log", "poisson", "c ~ x + z + offset(log(n)) + offset(z)", [], ""),
    ("poisson", "sqrt", "poisson('sqrt')", "c ~ x", [], ""),
    ("poisson", "identity", "poisson('identity')", "c ~ f", [], ""),
    ("poisson", "log", "quasipoisson", "c ~ x + z", ["--quasi"], ""),
    ("poisson", "log", "poisson", "c ~ x + f - 1", [], ""),
    ("poisson", "log", "poisson", "c ~ x", ["--weight", "n"], ", weights=n"),
    ("binomial", "logit", "quasibinomial", "b ~ x + z", ["--quasi"], ""),
    ("gamma", "inverse", "Gamma", "p ~ x", [], ""),
    ("gamma", "log", "Gamma('log')", "p ~ x*z + f", [], ""),
    ("gamma", "identity", "Gamma('identity')", "p ~ f", [], ""),
    ("inverse-gaussian", "inverse-square", "inverse.gaussian", "p ~ f", [], ""),
    ("inverse-gaussian", "log", "inverse.gaussian('log')", "p ~ x + z", [], ""),
    ("negative-binomial", "log", "MASS::negative.binomial(2)", "c ~ x + z", ["--theta", "2"], ""),
]
ROBUST = [("hc0", "vcovHC(m,'HC0')"), ("hc1", "vcovHC(m,'HC1')"), ("hc2", "vcovHC(m,'HC2')"),
          ("hc3", "vcovHC(m,'HC3')"), ("grouped", "vcovCL(m,t$k,type='HC1')")]
failed = 0


def make(n=500, seed=5):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=n), rng.uniform(-1, 1, n)
    f, k, e = rng.choice(["u", "v", "w"], n), rng.integers(0, 25, n), rng.integers(1, 6, n)
    mean = np.exp(0.5 + 0.4 * x - 0.3 * z + 0.3 * (f == "v"))
    g = mean + rng.normal(size=n) * (1 + abs(x))
    b = rng.random(n) < 1 / (1 + np.exp(-x + z))
    c, p = rng.poisson(mean * e), mean * rng.gamma(3, 1 / 3, n)
    with open(PATH, "w") as out:
        out.write("x,z,f,k,n,g,b,c,p\n")
        for i in range(n):
            out.write("%r,%r,%s,%d,%d,%r,%d,%d,%r\n" % (x[i], z[i], f[i], k[i], e[i], g[i], b[i], c[i], p[i]))


def in_r(lines):
    script = os.path.join(FOLDER, "script.R")
    head = ["suppressMessages(library(sandwich))", 't <- read.csv("%s")' % PATH,
            "t$f <- factor(t$f, levels=unique(t$f))",
            "say <- function(...) cat(format(c(...), digits=17), sep=' ', fill=1e6)",
            "settle <- glm.control(epsilon=1e-15, maxit=200)"]
    open(script, "w").write("\n".join(head + lines) + "\n")
    said = subprocess.run(["Rscript", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True, text=True).stdout
    return [[float(v) for v in line.split()] for line in said.strip().split("\n")]


def in_cairn(family, link, formula, *more):
    command = [os.path.join(BUILD, "cairn"), "fit", "glm", PATH, "--formula", formula, "--family",
               family, "--link", link, "--task", "regress", "--format", "json", "--quiet"] + list(more)
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["values"]


def in_linear(formula, *more):
    command = [os.path.join(BUILD, "cairn"), "fit", "linear", PATH, "--formula", formula, "--format",
               "json", "--quiet"] + list(more)
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["values"]


def columns(values, *kinds):
    names = [name[12:] for name in values if name.startswith("coefficient.")]
    return [values[kind + "." + n] for n in names for kind in kinds]


def check(what, ours, theirs, tolerance=1e-8):
    global failed
    if len(ours) != len(theirs):
        failed += 1
        print("%-60s %d numbers, R has %d: DIFFERS" % (what, len(ours), len(theirs)))
        return
    ours, theirs = np.array(ours, float), np.array(theirs, float)
    off = np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs)))
    failed += not off <= tolerance
    print("%-60s %8.1e%s" % (what, off, "" if off <= tolerance else " DIFFERS"))


make()
lines = []
for family, link, theirs, formula, _, more in CASES:
    lines += ["m <- glm(%s, %s, t, control=settle%s); s <- summary(m)" % (formula, theirs, more),
              "say(t(coef(s)[,c(1,2)]))" if "negative" not in family
              else "say(t(coef(summary(m, dispersion=1))[,c(1,2)]))",
              "say(deviance(m), m$null.deviance)", "say(if (is.na(AIC(m))) 0 else AIC(m))"]
answers = iter(in_r(lines))
for family, link, theirs, formula, options, _ in CASES:
    values = in_cairn(family, link, formula, *options)
    name = "%s(%s) %s %s" % (family, link, formula, " ".join(options))
    check(name, columns(values, "coefficient", "se"), next(answers))
    check("    deviances", [values["deviance"], values["null_deviance"]], next(answers))
    check("    AIC", [values["aic"] or 0], next(answers), 1e-7)
lines = []
for family, theirs in (("gaussian", "gaussian"), ("poisson", "poisson")):
    target = "g" if family == "gaussian" else "c"
    lines += ["m <- glm(%s ~ x*z, %s, t, control=settle)" % (target, theirs)]
    lines += ["say(sqrt(diag(%s)))" % r for _, r in ROBUST]
answers = iter(in_r(lines))
for family in ("gaussian", "poisson"):
    for kind, _ in ROBUST:
        values = in_cairn(family, "canonical", ("g" if family == "gaussian" else "c") + " ~ x*z",
                          "--errors", kind, "--group", "k")
        theirs = next(answers)
        check("%s, standard errors %s" % (family, kind), columns(values, "se"), theirs, 1e-7)
        if family == "gaussian":
            values = in_linear("g ~ x*z", "--errors", kind, "--group", "k")
            check("linear, standard errors %s" % kind, columns(values, "se"), theirs, 1e-7)
sys.exit(1 if failed else 0)

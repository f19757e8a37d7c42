#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Model formulas against R's lm: coefficients and standard errors of fits with products, levels,
polynomials, functions and no constant, on random tables with levels in the order of the file.
Usage: bench/agree/design.py [BUILD]; exit 0 when all agree to 1e-8 of their size."""
import json
import os
import subprocess
import sys
import tempfile
import numpy as np

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
FOLDER = tempfile.mkdtemp()
PATH = os.path.join(FOLDER, "table.csv")
FORMULAS = [
    "y ~ a*b", "y ~ a + b - a", "y ~ .", "y ~ (a+b+x)^2", "y ~ f", "y ~ f*g", "y ~ f:g - 1",
    "y ~ f - 1", "y ~ f + g - 1", "y ~ x:f", "y ~ x*f + g", "y ~ f/x", "y ~ f/x - 1",
    "y ~ x %in% f", "y ~ poly(x,2)", "y ~ poly(x,3)*f", "y ~ poly(x,2,raw=TRUE) + I(a^2)",
    "y ~ log(b) + I(x*a) + sqrt(b)", "y ~ factor(n)*x", "y ~ f*g*x - f:g:x", "y ~ a + I(a > 0)",
    "y ~ f*x - x", "y ~ a:f + a:g", "y ~ (f+g+x)^3",
]
failed = 0


def make(n=400, seed=3):
    rng = np.random.default_rng(seed)
    f, g = rng.choice(["low", "mid", "top"], n), rng.choice(["q", "p"], n)
    x, a, b, k = rng.normal(3, 2, n), rng.normal(size=n), rng.exponential(2, n) + .1, rng.integers(1, 5, n)
    y = x + 2 * a * b + (f == "top") * x - (g == "p") + k + rng.normal(size=n)
    with open(PATH, "w") as out:
        out.write("y,x,a,b,n,f,g\n")
        for i in range(n):
            out.write("%r,%r,%r,%r,%d,%s,%s\n" % (y[i], x[i], a[i], b[i], k[i], f[i], g[i]))


SCRIPT = """
t <- read.csv("%s", stringsAsFactors=FALSE)
t$f <- factor(t$f, levels=unique(t$f)); t$g <- factor(t$g, levels=unique(t$g))
for (text in readLines("%s")) {
  m <- lm(as.formula(text), t); s <- coef(summary(m))
  cat(text, "\\n", sep="")
  for (i in seq_len(nrow(s))) cat(rownames(s)[i], format(s[i,1:2], digits=17), sep="\\t", "\\n")
  cat("\\n")
}
"""


def in_r():
    listed = os.path.join(FOLDER, "formulas")
    open(listed, "w").write("\n".join(FORMULAS) + "\n")
    script = os.path.join(FOLDER, "script.R")
    open(script, "w").write(SCRIPT % (PATH, listed))
    said = subprocess.run(["Rscript", script], stdout=subprocess.PIPE, check=True, text=True).stdout
    answers = {}
    for block in said.strip().split("\n\n"):
        lines = block.split("\n")
        answers[lines[0]] = [[float(v) for v in line.split("\t")[1:3]] for line in lines[1:]]
    return answers


def in_cairn(formula):
    command = [os.path.join(BUILD, "cairn"), "fit", "linear", PATH, "--formula", formula,
               "--format", "json", "--quiet"]
    values = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["values"]
    names = [name[12:] for name in values if name.startswith("coefficient.")]
    return [[values["coefficient." + n], values["se." + n]] for n in names]


make()
for formula, theirs in in_r().items():
    ours = [row for row in in_cairn(formula) if row[1] is not None]
    if len(ours) != len(theirs):
        print("%-40s %d coefficients, R has %d: DIFFERS" % (formula, len(ours), len(theirs)))
        failed += 1
        continue
    off = np.max(np.abs(np.array(ours) - theirs) / np.maximum(1, np.abs(theirs)))
    failed += off > 1e-8
    print("%-40s %8.1e%s" % (formula, off, "" if off <= 1e-8 else " DIFFERS"))
sys.exit(1 if failed else 0)

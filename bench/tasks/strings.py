# SPDX-License-Identifier: MIT
"""Columns of strings, most of them different, beside polars and DuckDB."""
from sides import Task, cairn, growth, node, rows_of

TABLE, OTHER, QUOTED = "DATA/strings.csv", "DATA/strings-other.csv", "DATA/quoted.csv"
TOOLS = ("polars", "duckdb")


def read(path, target):
    return cairn(["fit", "majority", path, "--target", target, "--force"], "time.read", rows_of)


def step(*options):
    return cairn(["convert", TABLE, "DATA/made.arrow", *options], "time.transform",
                 lambda v: "%d rows, %d columns" % (v["rows"], v["columns"]))


def peers(what, *paths):
    return [(tool, 1.0, node("tables.cjs", tool, what, *paths)) for tool in TOOLS]


TASKS = [
    Task("strings-read", "read CSV of 3,000,000 rows, a column of 950,000 different strings",
         read(TABLE, "x"), peers("read", TABLE)),
    Task("strings-quoted", "read CSV of 1,000,000 quoted texts, doubled quotes in many of them",
         read(QUOTED, "id"), peers("read", QUOTED)),
    Task("strings-sort", "sort 3,000,000 rows by a string", step("--sort", "k"),
         peers("sort", TABLE)),
    Task("strings-group", "3,000,000 rows in 950,000 groups by a string: count and sum",
         step("--group-by", "k", "--aggregate", "n=count(),s=sum(x)"), peers("group", TABLE)),
    Task("strings-join", "join 3,000,000 rows with 1,000,000 by a string",
         step("--join", OTHER, "--on", "k"), peers("join", TABLE, OTHER)),
    Task("strings-distinct", "3,000,000 rows: one of each of 950,000 strings",
         step("--distinct-by", "k"), peers("distinct", TABLE)),
    Task("strings-growth", "sort by a string, 375,000 rows to 3,000,000",
         growth(lambda rows: step("--where", "row() <= %d" % rows, "--sort", "k"), 375000), [],
         rounds=3),
]

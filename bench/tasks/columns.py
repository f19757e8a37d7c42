# SPDX-License-Identifier: MIT
"""Files of columns, read to a table in memory; what the same table takes as CSV and as mapped Arrow."""
from sides import Task, cairn, node, rows_of


def read(path, target, *options):
    return cairn(["fit", "majority", path, "--target", target, *options], "time.read", rows_of)


def others(path):
    return [("DuckDB", 1.0, node("parquet.cjs", "duckdb", path)),
            ("polars", 1.0, node("parquet.cjs", "polars", path))]


TASKS = [
    Task("parquet-cover", "read Parquet 581,012 x 55 small integers",
         read("DATA/cover.parquet", "class"),
         others("DATA/cover.parquet") + [
             ("cairn, as CSV", 3.0, read("DATA/cover.csv", "class")),
             ("cairn, as mapped Arrow", None, read("DATA/cover.arrow", "class")),
             ("cairn, one column", 10.0, read("DATA/cover.parquet", "class", "--features", "class,x1"))]),
    Task("parquet-reals", "read Parquet 2,000,000 x 7 reals",
         read("DATA/flights.parquet", "y"),
         others("DATA/flights.parquet") + [
             ("cairn, as CSV", 3.0, read("DATA/flights.csv", "y")),
             ("cairn, as mapped Arrow", None, read("DATA/flights.arrow", "y"))]),
]

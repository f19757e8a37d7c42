# SPDX-License-Identifier: MIT
"""Distances of all pairs."""
from sides import Task, cairn, peer

TASKS = [
    Task("distances", "Euclidean distances of all pairs of 20,000 x 16",
         cairn(["compute", "distances", "DATA/groups.npy", "--ignore", "column17", "--form", "condensed"],
               "time.compute", lambda v: "mean %.9f" % v["euclidean.mean"]),
         [("scipy pdist", 1.5, peer("pdist.py", "DATA/groups.npy"))]),
    Task("edits", "edit distances of all pairs of 2,000 words",
         cairn(["compute", "distances", "DATA/words.csv", "--kinds", "word=text", "--distance", "edit",
                "--form", "condensed"], "time.compute", lambda v: "mean %.9f" % v["edit.mean"]),
         [("R adist", 10.0, peer("adist.R", "DATA/words.csv"))]),
]

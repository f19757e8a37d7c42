#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Bags and tf-idf against scikit-learn: same vocabulary, same values to 1e-12, for many settings, on
texts in several scripts and on random Unicode. Usage: bench/agree/text.py [BUILD [CSV with a column
text]]; exit 0 when all agree."""
import csv
import os
import random
import subprocess
import sys
import tempfile
import unicodedata
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

SAMPLE = [
    "The quick brown fox jumps over the lazy dog, and the DOG sleeps.",
    "Zürich, Genève und Málaga: naïve café-goers paid 25 EUR (or £20) in 2024!",
    "ΟΔΥΣΣΕΥΣ και ΠΗΝΕΛΟΠΗ. Ο Σίσυφος ΣΠΡΩΧΝΕΙ τον βράχο: ΟΔΟΣ Α.Σ.",
    "Москва и Санкт-Петербург: ЁЛКА и ёлка, Ещё раз.",
    "東京は日本の首都です。 人口は約1400万人。 ひらがな カタカナ ｶﾅ ＡＢＣ１２３",
    "İstanbul'da ILIK bir gün; ışık IŞIK.",
    "नमस्ते दुनिया १२३ और हिन्दी",
    "snake_case __init__ x1 a b c d e2e ½ Ⅻ ² ﬁnal oﬃce",
    "tabs\tand  two blanks\n\nlines\u00a0here\u2003wide",
    "", "a", "don't can't e.g. U.S.A. 3.14 1,000 x_y-z",
    "العربية لغة جميلة ١٢٣", "the the the the dog dog fox",
]


def random_texts(n):
    rng = random.Random(7)
    ranges = [(0x20, 0x7e), (0xa0, 0x24f), (0x370, 0x3ff), (0x400, 0x52f), (0x900, 0x97f),
              (0x1e00, 0x1fff), (0x2000, 0x206f), (0x3040, 0x30ff), (0x4e00, 0x4f00),
              (0xff01, 0xff9d), (0x1d400, 0x1d7ff), (0x10400, 0x1044f)]
    out = []
    for _ in range(n):
        letters = []
        for _ in range(rng.randrange(60)):
            low, high = rng.choice(ranges)
            c = chr(rng.randint(low, high))
            if unicodedata.category(c) not in ("Cn", "Cc") and c != '"':
                letters.append(c)
        out.append("".join(letters))
    words = " ".join(out).split()
    return out + [" ".join(rng.choices(words, k=rng.randrange(30))) for _ in range(n)]


# Cairn's options, scikit-learn's.
SETTINGS = [
    ("", {}),
    ("lower=no", {"lowercase": False}),
    ("accents=strip", {"strip_accents": "unicode"}),
    ("values=bits", {"binary": True}),
    ("min-length=1", {"token_pattern": r"(?u)\b\w+\b"}),
    ("max-gram=2", {"ngram_range": (1, 2)}),
    ("min-gram=2,max-gram=3", {"ngram_range": (2, 3)}),
    ("min-documents=2", {"min_df": 2}),
    ("max-share=0.5", {"max_df": 0.5}),
    ("min-share=0.001,max-documents=9", {"min_df": 0.001, "max_df": 9}),
    ('stop-words="the,and,und,dog",max-gram=2',
     {"stop_words": ["the", "and", "und", "dog"], "ngram_range": (1, 2)}),
    ("tokens=characters,max-gram=3", {"analyzer": "char", "ngram_range": (1, 3)}),
    ("tokens=inside,min-gram=2,max-gram=4", {"analyzer": "char_wb", "ngram_range": (2, 4)}),
    ("tokens=inside,min-gram=1,max-gram=6,accents=strip",
     {"analyzer": "char_wb", "ngram_range": (1, 6), "strip_accents": "unicode"}),
]
WEIGHTS = [
    None,
    ("", {}),
    ("sublinear=yes", {"sublinear_tf": True}),
    ("idf=shifted,norm=l1", {"smooth_idf": False, "norm": "l1"}),
    ("norm=none", {"norm": None}),
    ("idf=none,norm=l2", {"use_idf": False}),
]


def ours(cairn, path, bag, weights, folder):
    """Words and rows of (word number, amount)."""
    words, rows = os.path.join(folder, "words"), os.path.join(folder, "rows.libsvm")
    command = [cairn, "convert", path, rows, "--target", "label", "--kinds", "text=text",
               "--quiet", "--with", "bag:" + ",".join(x for x in [bag, "save=" + words] if x)]
    if weights is not None:
        command += ["--with", "tf-idf" + (":" + weights if weights else "")]
    subprocess.run(command, check=True)
    with open(words, encoding="utf-8", newline="\n") as file:
        found = file.read().split("\n")[:-1]
    table = []
    with open(rows, encoding="utf-8") as file:
        for line in file:
            items = [item.split(":") for item in line.split()[1:]]
            table.append({int(i) - 1: float(a) for i, a in items})
    return found, table


def check(cairn, path, texts, setting, weight, folder):
    bag, options = setting
    words, table = ours(cairn, path, bag, weight[0] if weight else None, folder)
    vectorizer = CountVectorizer(**options)
    counts = vectorizer.fit_transform(texts)
    if weight:
        counts = TfidfTransformer(**weight[1]).fit_transform(counts)
    names = vectorizer.get_feature_names_out().tolist()
    if words != names:
        return "vocabularies differ: %r" % sorted(set(words) ^ set(names))[:6]
    worst = 0
    counts = counts.tocsr().astype(float)
    for i, row in enumerate(table):
        span = slice(counts.indptr[i], counts.indptr[i + 1])
        theirs = dict(zip(counts.indices[span].tolist(), counts.data[span].tolist()))
        if set(theirs) != set(row):
            return "row %d has other words" % (i + 1)
        worst = max([worst] + [abs(theirs[k] - row[k]) for k in row])
    return None if worst <= 1e-12 else "values differ by %g" % worst


def read_texts(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [row["text"] for row in csv.DictReader(file)]


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    cairn = os.path.join(build, "cairn")
    sets = [("sample", SAMPLE), ("random", random_texts(400))]
    if len(sys.argv) > 2:
        sets.append(("file", read_texts(sys.argv[2])))
    failed = checks = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, texts in sets:
            path = os.path.join(folder, name + ".csv")
            with open(path, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
                writer.writerow(["text", "label"])
                writer.writerows([t, "yes" if i % 2 else "no"] for i, t in enumerate(texts))
            for setting in SETTINGS:
                for weight in WEIGHTS if setting[0] in ("", "max-gram=2") else WEIGHTS[:2]:
                    problem = check(cairn, path, texts, setting, weight, folder)
                    checks += 1
                    if problem:
                        failed += 1
                        print("%s: bag:%s tf-idf:%s: %s" % (name, setting[0],
                                                            weight[0] if weight else "-", problem))
    print("%d of %d comparisons agree (numpy %s)" % (checks - failed, checks, np.__version__))
    return 1 if failed else 0


sys.exit(main())

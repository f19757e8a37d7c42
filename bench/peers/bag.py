# SPDX-License-Identifier: MIT
"""CountVectorizer with its defaults on the text column of a CSV file (gz and zst too), and whether a
libsvm file of bags made by Cairn and a saved vocabulary agree with it."""
import json
import sys
import time
from sklearn.feature_extraction.text import CountVectorizer
from texts import read_columns

texts, = read_columns(sys.argv[1], "text")
begin = time.perf_counter()
vectorizer = CountVectorizer()
counts = vectorizer.fit_transform(texts)
seconds = time.perf_counter() - begin
quality = "%d words, %d cells" % (counts.shape[1], counts.nnz)
if len(sys.argv) > 2:
    with open(sys.argv[2], encoding="utf-8") as file:
        words = file.read().split("\n")[:-1]
    if words != vectorizer.get_feature_names_out().tolist():
        sys.exit("the vocabularies differ")
    counts.sort_indices()
    with open(sys.argv[3], encoding="utf-8") as file:
        for i, line in enumerate(file):
            items = [item.rsplit(":", 1) for item in line.rstrip("\n").split(" ")[1:]]
            ours = [(int(item) - 1, float(amount)) for item, amount in items]
            row = slice(counts.indptr[i], counts.indptr[i + 1])
            if ours != list(zip(counts.indices[row].tolist(), counts.data[row].tolist())):
                sys.exit("the counts of row %d differ" % (i + 1))
    quality += ", same vocabulary and counts"
print(json.dumps({"seconds": seconds, "quality": quality}))

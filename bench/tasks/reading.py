# SPDX-License-Identifier: MIT
"""Reading and writing data, texts, reshaping."""
from sides import Task, cairn, peer, rows_of, run


def bags(setup):
    """Time of making bags, and bags and vocabulary in files for the peer to check."""
    answer = cairn(["fit", "majority", "NEWS", "--target", "group", "--with", "bag"], "time.fit",
                   lambda v: "%d words" % v["bag.text.words"])(setup)
    words, items = setup.path("DATA/news.words"), setup.path("DATA/news.libsvm")
    run([setup.cairn, "convert", setup.path("NEWS"), items, "--target", "group",
         "--with", "bag:save=" + words, "--quiet"])
    return answer


NUMBERS = "standardise:columns=(age,fnlwgt,education_num,capital_gain,capital_loss,hours_per_week)"


def preprocess(setup):
    """Time of the transforms, and what they make in a file for the peer to check."""
    command = ["convert", "ADULT", "DATA/adult-made.csv", "--target", "income", "--missing-mark", "?",
               "--with", "impute", "--with", "indicators:kinds=levels", "--with", NUMBERS]
    return cairn(command, "time.transform",
                 lambda v: "%d rows, %d columns" % (v["rows"], v["columns"] - 1))(setup)


def reshape(*options):
    """Time of the step itself; what comes out is written as npy, which costs least."""
    return cairn(["convert", "DATA/sales.csv", "DATA/reshaped.npy", *options], "time.transform",
                 lambda v: "%d rows, %d columns" % (v["rows"], v["columns"]))


TASKS = [
    Task("csv-cover", "read CSV 581,012 x 55 small integers",
         cairn(["fit", "majority", "DATA/cover.csv", "--target", "class"], "time.read", rows_of),
         [("data.table fread", 1.2, peer("fread.R", "DATA/cover.csv"))]),
    Task("csv-reals", "read CSV 1,000,000 x 51 reals",
         cairn(["fit", "majority", "DATA/reals.csv", "--target", "y"], "time.read", rows_of),
         [("data.table fread", 1.2, peer("fread.R", "DATA/reals.csv"))]),
    Task("bags", "texts to bags of words, 11,314 newsgroup messages",
         bags,
         [("scikit-learn CountVectorizer", 4.0,
           peer("bag.py", "NEWS", "DATA/news.words", "DATA/news.libsvm"))],
         needs="NEWS"),
    Task("preprocess", "impute, 1-of-K coding and standardising, 32,561 x 14 adults",
         preprocess,
         [("scikit-learn ColumnTransformer", 5.0,
           peer("preprocess.py", "ADULT", "DATA/adult-made.csv"))],
         needs="ADULT"),
    Task("reshape-group", "10,000,000 rows in 1,000,000 groups: count, sum and mean",
         reshape("--group-by", "g", "--aggregate", "n=count(), sum(x), mean(x)"),
         [("data.table", 0.5, peer("data_table.R", "group", "DATA/sales.csv"))],
         rounds=3),
    Task("reshape-join", "inner join of 10,000,000 rows with 10,000,000 by a whole number",
         reshape("--join", "DATA/items.csv", "--on", "k"),
         [("data.table", 0.5, peer("data_table.R", "join", "DATA/sales.csv", "DATA/items.csv"))],
         rounds=3),
    Task("reshape-sort", "sort 10,000,000 rows by a whole number and, descending, a real one",
         reshape("--sort", "g,-x"),
         [("data.table", None, peer("data_table.R", "sort", "DATA/sales.csv"))],
         rounds=3),
]

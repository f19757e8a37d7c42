#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs each task on both sides in turn and writes bench/RESULTS.md.

A side is a command. Its time is what it reports for the task itself (reading not counted), or its
whole wall time; its memory is the largest resident size of the process. Both sides use two threads.
The best of the rounds counts for each side; ratio = peer time / Cairn time."""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"
THREADS = "2"
FASHION = "/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz"
FASHION_TEST = "/usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz"


def run(command, **variables):
    """Run a command; give its output, wall seconds, CPU seconds and peak memory in MB."""
    environment = dict(os.environ, OMP_NUM_THREADS=THREADS, OPENBLAS_NUM_THREADS=THREADS, **variables)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text = out.read().decode()
        if process.returncode:
            sys.exit("failed: %s\n%s" % (" ".join(command), err.read().decode()))
    return text, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def cairn(arguments, seconds="time.fit", quality=None):
    """A Cairn command whose report names its time; quality(values) describes the result."""
    def side(setup):
        text, _, _, memory = run([setup.cairn] + [setup.path(a) for a in arguments] +
                                 ["--threads", THREADS, "--format", "json", "--timings"])
        values = json.loads(text)["values"]
        return values[seconds], memory, quality(values) if quality else ""
    return side


def cairn_process(arguments, quality=None):
    """A Cairn command timed as a whole process."""
    def side(setup):
        _, wall, _, memory = run([setup.cairn] + [setup.path(a) for a in arguments] +
                                 ["--threads", THREADS, "--quiet"])
        return wall, memory, quality(setup) if quality else ""
    return side


def peer(script, *arguments, whole=False):
    """A peer script prints one line of JSON: {"seconds": ..., "quality": "..."}."""
    def side(setup):
        path = os.path.join(HERE, "peers", script)
        program = ["Rscript", "--vanilla", path] if script.endswith(".R") else [PYTHON, path]
        text, wall, _, memory = run(program + [setup.path(a) for a in arguments])
        answer = json.loads(text.strip().splitlines()[-1])
        return (wall if whole else answer["seconds"]), memory, answer["quality"]
    return side


def lines_of(path):
    """Lines below the header."""
    with open(path) as file:
        return sum(1 for _ in file) - 1


def accuracy_of(predictions):
    """Share of right answers in a CSV of predictions of the cover test rows."""
    def judge(setup):
        with open(setup.path("DATA/cover-test.csv")) as truth, open(setup.path(predictions)) as said:
            next(truth), next(said)
            pairs = [(t.rstrip().rsplit(",", 1)[1], s.split(",")[0].strip())
                     for t, s in zip(truth, said)]
        return "accuracy %.4f" % (sum(t == s for t, s in pairs) / len(pairs))
    return judge


def bags(setup):
    """Time of making bags, and bags and vocabulary in files for the peer to check."""
    answer = cairn(["fit", "majority", "NEWS", "--target", "group", "--with", "bag"], "time.fit",
                   lambda v: "%d words" % v["bag.text.words"])(setup)
    words, items = setup.path("DATA/news.words"), setup.path("DATA/news.libsvm")
    run([setup.cairn, "convert", setup.path("NEWS"), items, "--target", "group",
         "--with", "bag:save=" + words, "--quiet"])
    return answer


def neighbours(train, queries, *options, quality):
    """Time of keeping the rows (and building a tree) and of answering the queries."""
    def side(setup):
        model = setup.path("DATA/knn.cairn")
        built, memory, _ = cairn(["fit", "knn", train, "--k", "5", "--scale", "none", "--save", model, *options])(setup)
        asked, more, answer = cairn(["predict", model, queries], "time.predict", quality)(setup)
        return built + asked, max(memory, more), answer
    return side


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


def training_accuracy(values):
    return "accuracy on the training rows %.6f" % values["training.accuracy"]


GAUSS = ["fit", "bayes", "DATA/cover-train.csv", "--target", "class", "--add-variance", "1e-9"]


def bayes_text(setup):
    """From raw texts to predictions for them: fitting and predicting, vocabulary and all."""
    text, _, _, memory = run([setup.cairn, "fit", "bayes", setup.path("NEWS"), "--target", "group",
                              "--with", "bag", "--threads", THREADS, "--format", "json",
                              "--timings"])
    values = json.loads(text)["values"]
    return values["time.fit"] + values["time.predict"], memory, training_accuracy(values)


TEXT_FIT = ["fit", "logistic", "DATA/news.tfidf.libsvm", "--task", "classify", "--strength", "0.1"]


def number_classes(source, target, numbers):
    """Copy a libsvm file with numbers in place of the names of its classes."""
    with open(source) as lines, open(target, "w") as out:
        for line in lines:
            name, rest = line.split(" ", 1)
            out.write("%d %s" % (numbers.setdefault(name, len(numbers) + 1), rest))
    os.remove(source)


def make_text(setup):
    """tf-idf of the newsgroup messages, for training and for testing, as libsvm files."""
    train, test = setup.path("DATA/news.tfidf.libsvm"), setup.path("DATA/news-test.tfidf.libsvm")
    if os.path.exists(test):
        return
    recipe, named, numbers = setup.path("DATA/news.recipe"), setup.path("DATA/named.libsvm"), {}
    run([setup.cairn, "convert", setup.path("NEWS"), named, "--target", "group",
         "--with", "bag:min-documents=2", "--with", "tf-idf", "--save", recipe, "--quiet"])
    number_classes(named, train, numbers)
    run([setup.cairn, "convert", setup.path("NEWS_TEST"), named, "--target", "group",
         "--recipe", recipe, "--quiet"])
    number_classes(named, test, numbers)


def logistic_text(setup):
    """Softmax regression of the tf-idf matrix, its objective, and its accuracy on the test rows."""
    make_text(setup)
    model = setup.path("DATA/news.cairn")
    answer = cairn(TEXT_FIT + ["--save", model], "time.fit",
                   lambda v: "objective %.4f" % v["objective"])(setup)
    text, _, _, _ = run([setup.cairn, "evaluate", model, setup.path("DATA/news-test.tfidf.libsvm"),
                         "--format", "json"])
    accuracy = json.loads(text)["values"]["accuracy"]
    return answer[0], answer[1], answer[2] + ", test accuracy %.4f" % accuracy


def logistic_file(setup):
    """The same as a whole process, from file to model file."""
    make_text(setup)
    return cairn_process(TEXT_FIT + ["--save", "DATA/news.cairn"])(setup)


TREE = ["fit", "tree", "DATA/cover-train.csv", "--target", "class", "--task", "classify",
        "--preset", "full", "--impurity", "gini", "--tie", "random"]  # as the peer breaks its ties


def pieces(values):
    return "%d leaves" % values["tree.leaves"] if "tree.leaves" in values else "%d rules" % values["rules"]


def then_test(command, model, rows):
    """Time of fitting (all but reading), and the accuracy on other rows."""
    def side(setup):
        answer = cairn(command, "time.fit", pieces)(setup)
        text, _, _, _ = run([setup.cairn, "evaluate", setup.path(model), setup.path(rows),
                             "--format", "json"])
        accuracy = json.loads(text)["values"]["accuracy"]
        return answer[0], answer[1], answer[2] + ", accuracy %.6f" % accuracy
    return side


def rows_of(values):
    return "%d rows" % values["model.rows"]


def product(program, case, threads, **variables):
    """A product or decomposition of bench/products.c at one level of the instruction set."""
    def side(setup):
        text, _, _, memory = run([setup.path("DATA/" + program), case, threads], **variables)
        answer = json.loads(text)
        return answer["seconds"], memory, answer["quality"]
    return side


PRODUCTS = [("gram", "A'A double 60,000 x 784"), ("gram-float", "A'A float 60,000 x 784"),
            ("cross", "A'B double 800,000 x 50"), ("rows-float", "AB' float 1,024 x 60,000, k 784"),
            ("square", "AB double 2,000 cubed")]
DECOMPOSITIONS = [("eigen-some", "50 of 784 eigenvectors (dsyevr)"),
                  ("eigen-all", "all of 784 eigenvectors (dsyevd)"),
                  ("svd", "singular values of 2,000 x 200 (dgesdd)"),
                  ("cholesky", "Cholesky factor of 2,000 (dpotrf)")]
LEVELS = [("avx2", "avx2", "Haswell", 0.95), ("avx512", "avx512f", "SkylakeX", 0.9)]


def product_tasks():
    """The library against OpenBLAS, both held to one instruction set; those this machine has."""
    with open("/proc/cpuinfo") as file:
        flags = next((line.split() for line in file if line.startswith("flags")), [])
    return [("%s-%s" % (case, level), "%s, %s, %s thread%s" % (title, level, threads, "s"[:threads != "1"]),
             product("products", case, threads, CAIRN_KERNELS=level),
             [("OpenBLAS as " + core, wanted if threads == "2" else 0.8,
               product("products-openblas", case, threads, OPENBLAS_CORETYPE=core))])
            for level, flag, core, wanted in LEVELS if flag in flags
            for cases, threads in ((PRODUCTS, "2"), (DECOMPOSITIONS, "1")) for case, title in cases]


# name, title, our side, [(peer, wanted ratio, its side)]
TASKS = product_tasks() + [
    ("csv-cover", "read CSV 581,012 x 55 small integers",
     cairn(["fit", "majority", "DATA/cover.csv", "--target", "class"], "time.read", rows_of),
     [("data.table fread", 1.2, peer("fread.R", "DATA/cover.csv"))]),
    ("csv-reals", "read CSV 1,000,000 x 51 reals",
     cairn(["fit", "majority", "DATA/reals.csv", "--target", "y"], "time.read", rows_of),
     [("data.table fread", 1.2, peer("fread.R", "DATA/reals.csv"))]),
    ("ols", "least squares 1,000,000 x 50, full table of statistics",
     cairn(["fit", "linear", "DATA/reals.csv", "--target", "y"], "time.fit",
           lambda v: "R2 %.6f" % v["r2"]),
     [("numpy normal equations", 0.9, peer("least_squares.py", "normal", "DATA/reals.npy")),
      ("scikit-learn Ridge", 2.0, peer("least_squares.py", "ridge", "DATA/reals.npy"))]),
    ("kmeans-10", "k-means 1,000,000 x 16, k = 10, 20 iterations",
     cairn(["fit", "kmeans", "DATA/blobs.csv", "--clusters", "10", "--init", "DATA/starts10.csv",
            "--max-iter", "20", "--tolerance", "0"], "time.fit",
           lambda v: "inertia %.6g" % v["inertia"]),
     [("scikit-learn Lloyd", 1.5, peer("kmeans.py", "DATA/blobs.npy", "DATA/starts10.npy"))]),
    ("kmeans-100", "k-means 1,000,000 x 16, k = 100, 20 iterations",
     cairn(["fit", "kmeans", "DATA/blobs.csv", "--clusters", "100", "--init", "DATA/starts100.csv",
            "--max-iter", "20", "--tolerance", "0"], "time.fit",
           lambda v: "inertia %.6g" % v["inertia"]),
     [("scikit-learn Lloyd", 1.5, peer("kmeans.py", "DATA/blobs.npy", "DATA/starts100.npy"))]),
    ("pca", "principal components 60,000 x 784, 50 of them",
     cairn(["compute", "pca", FASHION, "--components", "50"], "time.compute",
           lambda v: "explained %.6f" % v["pca.explained"]),
     [("numpy covariance and eigh", 1.0, peer("pca.py", "numpy", FASHION)),
      ("scikit-learn PCA", 4.0, peer("pca.py", "sklearn", FASHION))]),
    ("knn-brute", "5 neighbours among 60,000 x 784, 10,000 queries, fit and predict",
     neighbours(FASHION, FASHION_TEST, quality=lambda v: "accuracy %.4f" % v["accuracy"]),
     [("scikit-learn brute force, float32", 1.5, peer("knn.py", "scikit-learn", FASHION, FASHION_TEST))]),
    ("knn-kd", "5 neighbours among 500,000 x 3, 50,000 queries, build and query",
     neighbours("DATA/points.npy", "DATA/queries.npy", "--target", "column4",
                quality=lambda v: "RMSE %.6f" % v["rmse"]),
     [("scipy cKDTree", 1.5, peer("knn.py", "scipy", "DATA/points.npy", "DATA/queries.npy")),
      ("scikit-learn KDTree", 2.0,
       peer("knn.py", "scikit-learn-tree", "DATA/points.npy", "DATA/queries.npy"))]),
    ("tree", "tree 500,000 x 54, 7 classes, to purity",
     cairn(TREE + ["--save", "DATA/cover.cairn"], "time.fit",
           lambda v: "%d leaves" % v["tree.leaves"]),
     [("scikit-learn DecisionTreeClassifier", 5.0,
       peer("tree_fit.py", "DATA/cover.npy", "DATA/tree.pickle"))]),
    ("tree-rpart", "the same beside R",
     then_test(TREE + ["--save", "DATA/cover.cairn"], "DATA/cover.cairn", "DATA/cover-test.csv"),
     [("rpart, to depth 30 at most", 20.0,
       peer("tree_rpart.R", "DATA/cover-train.csv", "DATA/cover-test.csv"))]),
    ("tree-adult", "C4.5 tree on 32,561 x 14 adults, levels and missing cells as they are",
     then_test(["fit", "tree", "ADULT", "--target", "income", "--missing-mark", "?", "--preset",
                "c4.5", "--save", "DATA/adult.cairn"], "DATA/adult.cairn", "ADULT_TEST"),
     [("Weka J48", 5.0, peer("weka.py", "weka.classifiers.trees.J48", "ADULT", "ADULT_TEST"))]),
    ("tree-bins", "the same on histograms",
     cairn(TREE + ["--engine", "histogram", "--save", "DATA/cover-bins.cairn"], "time.fit",
           lambda v: "%d leaves" % v["tree.leaves"]),
     [("scikit-learn DecisionTreeClassifier", 15.0,
       peer("tree_fit.py", "DATA/cover.npy", "DATA/tree.pickle"))]),
    ("tree-regress", "regression tree 800,000 x 50",
     cairn(["fit", "tree", "DATA/reals-800k.csv", "--target", "y", "--task", "regress",
            "--min-leaf", "5"], "time.fit", lambda v: "%d leaves" % v["tree.leaves"]),
     [("scikit-learn DecisionTreeRegressor", 4.0, peer("tree_regress.py", "DATA/reals.npy"))]),
    ("tree-predict", "predict 81,012 rows, CSV to CSV, whole process",
     cairn_process(["predict", "DATA/cover.cairn", "DATA/cover-test.csv", "--out", "DATA/said.csv"],
                   accuracy_of("DATA/said.csv")),
     [("scikit-learn + pandas", 5.0,
       peer("tree_predict.py", "DATA/tree.pickle", "DATA/cover-test.csv", "DATA/said-peer.csv",
            whole=True))]),
    ("forest", "random forest 500,000 x 54, 7 classes, 100 trees to purity, 7 columns per node",
     cairn(["fit", "forest", "DATA/cover-train.csv", "--target", "class", "--task", "classify",
            "--mtry", "7", "--save", "DATA/forest.cairn"], "time.fit",
           lambda v: "%d leaves, model %.0f MB, out-of-bag accuracy %.4f" % (
               v["forest.leaves"], v["forest.bytes"] / 1e6, v["oob.accuracy"])),
     [("scikit-learn RandomForestClassifier", 4.0,
       peer("forest_fit.py", "DATA/cover.npy", "DATA/forest.pickle")),
      ("ranger", 4.0, peer("forest_ranger.R", "DATA/cover-train.csv", "DATA/cover-test.csv"))]),
    ("forest-predict", "random forest, predict 81,012 rows",
     cairn(["evaluate", "DATA/forest.cairn", "DATA/cover-test.csv"], "time.predict",
           lambda v: "accuracy %.4f" % v["accuracy"]),
     [("scikit-learn RandomForestClassifier", 4.0,
       peer("forest_predict.py", "DATA/forest.pickle", "DATA/cover.npy"))]),
    ("cv", "10-fold cross-validation of a tree to purity, 100,000 x 54",
     cairn(["evaluate", "tree", "DATA/cover-100k.csv", "--target", "class", "--task", "classify",
            "--preset", "full", "--impurity", "gini", "--tie", "random", "--by", "cv:10"], "time.fit",
           lambda v: "accuracy %.4f" % v["accuracy"]),
     [("scikit-learn cross_val_score", 3.0, peer("tree_cv.py", "DATA/cover.npy"))]),
    ("bayes-gauss", "Gaussian naive Bayes 500,000 x 54, 7 classes",
     cairn(GAUSS, "time.fit", training_accuracy),
     [("scikit-learn GaussianNB", 5.0, peer("bayes.py", "fit", "DATA/cover.npy"))]),
    ("bayes-gauss-predict", "Gaussian naive Bayes, predict 500,000 rows",
     cairn(GAUSS, "time.predict", training_accuracy),
     [("scikit-learn GaussianNB", 5.0, peer("bayes.py", "predict", "DATA/cover.npy"))]),
    ("bayes-text", "multinomial naive Bayes from 11,314 raw texts to predictions, 20 classes",
     bayes_text,
     [("scikit-learn CountVectorizer and MultinomialNB", 4.0, peer("bayes.py", "text", "NEWS"))]),
    ("logistic-dense", "logistic regression 800,000 x 28, with standard errors",
     cairn(["fit", "logistic", "DATA/logit.csv", "--target", "class", "--task", "classify"],
           "time.fit", lambda v: "objective %.4f" % v["cross_entropy"]),
     [("scikit-learn LogisticRegression lbfgs", 3.0,
       peer("logistic.py", "dense", "DATA/logit.npy"))]),
    ("logistic-text", "softmax regression of 11,314 x 56,436 tf-idf, 20 classes",
     logistic_text,
     [("scikit-learn LogisticRegression lbfgs", 8.0,
       peer("logistic.py", "text", "DATA/news.tfidf.libsvm", "DATA/news-test.tfidf.libsvm"))]),
    ("logistic-file", "the same from file to model file, whole process",
     logistic_file,
     [("liblinear -s 0, one against the rest", 1.2,
       peer("liblinear.py", "DATA/news.tfidf.libsvm", "DATA/news-test.tfidf.libsvm"))]),
    ("rules", "RIPPER on 8,124 x 22 mushrooms",
     cairn(["fit", "ripper", "MUSHROOM", "--target", "type"], "time.fit", training_accuracy),
     [("Weka JRip", 3.0, peer("weka.py", "weka.classifiers.rules.JRip", "MUSHROOM"))]),
    ("associations", "association rules of 8,124 x 23 mushrooms, support 0.25, confidence 0.8, whole process",
     cairn_process(["compute", "associations", "MUSHROOM", "--support", "0.25", "--confidence", "0.8",
                    "--no-empty-body", "--out", "DATA/mushroom-rules.csv"],
                   lambda setup: "%d rules" % lines_of(setup.path("DATA/mushroom-rules.csv"))),
     [("Weka Apriori", None, peer("weka_rules.py", "MUSHROOM", "0.25", "0.8"))]),
    ("rules-adult", "RIPPER on 32,561 x 14 adults with missing cells",
     then_test(["fit", "ripper", "ADULT", "--target", "income", "--missing-mark", "?", "--save",
                "DATA/adult-rules.cairn"], "DATA/adult-rules.cairn", "ADULT_TEST"),
     [("Weka JRip", 3.0,
       peer("weka.py", "weka.classifiers.rules.JRip", "ADULT", "ADULT_TEST"))]),
    ("rules-cn2", "rule list of CN2 on the same",
     then_test(["fit", "rule-list", "ADULT", "--target", "income", "--missing-mark", "?",
                "--preset", "cn2", "--save", "DATA/adult-rules.cairn"],
               "DATA/adult-rules.cairn", "ADULT_TEST"),
     [("Weka JRip", 3.0,
       peer("weka.py", "weka.classifiers.rules.JRip", "ADULT", "ADULT_TEST"))]),
    ("roc", "ROC curve, area and hull of 10,000,000 scores",
     cairn(["compute", "roc", "DATA/scores.npy", "--score", "column1", "--target", "column2",
            "--kinds", "column2=level"], "time.compute", lambda v: "AUC %.9f" % v["auc"]),
     [("scikit-learn roc_curve and auc, no hull", 5.0, peer("roc.py", "DATA/scores.npy"))]),
    ("bags", "texts to bags of words, 11,314 newsgroup messages",
     bags,
     [("scikit-learn CountVectorizer", 4.0,
       peer("bag.py", "NEWS", "DATA/news.words", "DATA/news.libsvm"))]),
    ("reshape-group", "10,000,000 rows in 1,000,000 groups: count, sum and mean",
     reshape("--group-by", "g", "--aggregate", "n=count(), sum(x), mean(x)"),
     [("data.table", 0.5, peer("data_table.R", "group", "DATA/sales.csv"))]),
    ("reshape-join", "inner join of 10,000,000 rows with 10,000,000 by a whole number",
     reshape("--join", "DATA/items.csv", "--on", "k"),
     [("data.table", 0.5, peer("data_table.R", "join", "DATA/sales.csv", "DATA/items.csv"))]),
    ("reshape-sort", "sort 10,000,000 rows by a whole number and, descending, a real one",
     reshape("--sort", "g,-x"),
     [("data.table", None, peer("data_table.R", "sort", "DATA/sales.csv"))]),
    ("preprocess", "impute, 1-of-K coding and standardising, 32,561 x 14 adults",
     preprocess,
     [("scikit-learn ColumnTransformer", 5.0,
       peer("preprocess.py", "ADULT", "DATA/adult-made.csv"))]),
]
# Whole processes, from file to file, against the best time of Christian Borgelt's programs on such a
# machine (they are in no package): name, file, least support, sets, seconds of the fastest of them.
ITEM_SETS = [
    ("retail", "retail.dat.zst", "0.0005", 19242, 0.320),
    ("T10I4D100K", "T10I4D100K.dat.zst", "0.0005", 53385, 0.261),
    ("chess", "chess.dat.zst", "0.6", 254944, 0.043),
    ("mushroom", "mushroom.dat.zst", "0.1", 155657, 0.030),
]
# Files that the bench cannot make, by task.
NEEDS = {"associations": "MUSHROOM", "bags": "NEWS", "bayes-text": "NEWS", "logistic-file": "NEWS_TEST",
         "logistic-text": "NEWS_TEST", "preprocess": "ADULT", "rules": "MUSHROOM",
         "rules-adult": "ADULT_TEST", "rules-cn2": "ADULT_TEST", "tree-adult": "ADULT_TEST"}
# Tasks of minutes are run in fewer rounds.
ROUNDS = {"forest": 1, "knn-brute": 2, "logistic-text": 2, "reshape-group": 3, "reshape-join": 3,
          "reshape-sort": 3, "tree-regress": 1, "tree-rpart": 1}


class Setup:
    def __init__(self, options):
        self.cairn = os.path.join(options.build, "cairn")
        self.data = options.data
        self.news = os.environ.get("BENCH_NEWS",
                                   os.path.join(options.data, "20news_train.csv.zst"))
        self.news_test = os.environ.get("BENCH_NEWS_TEST", self.news.replace("train", "test"))

        self.items = os.environ.get("BENCH_ITEMS", options.data)
        self.adult = os.environ.get("BENCH_ADULT",
                                    os.path.join(options.data, "adult_train.csv.zst"))
        self.adult_test = os.environ.get("BENCH_ADULT_TEST", self.adult.replace("train", "test"))
        self.mushroom = os.environ.get("BENCH_MUSHROOM", os.path.join(options.data, "mushroom.csv"))

    def path(self, argument):
        if argument == "NEWS":
            return self.news
        if argument == "NEWS_TEST":
            return self.news_test
        if argument == "ADULT":
            return self.adult
        if argument == "ADULT_TEST":
            return self.adult_test
        if argument == "MUSHROOM":
            return self.mushroom
        return argument.replace("DATA", self.data, 1) if argument.startswith("DATA/") else argument


def best(rounds):
    """The quickest round of a side, with the least memory seen."""
    seconds = min(r[0] for r in rounds)
    return seconds, min(r[1] for r in rounds), rounds[-1][2]


def compare(setup, task, rounds):
    _, title, ours, peers = task
    seen = [[] for _ in range(1 + len(peers))]
    for _ in range(rounds):
        seen[0].append(ours(setup))
        for i, (_, _, side) in enumerate(peers):
            seen[1 + i].append(side(setup))
    mine = best(seen[0])
    rows = [(title, "cairn", mine, None, None)]
    for i, (name, wanted, _) in enumerate(peers):
        theirs = best(seen[1 + i])
        rows.append((title, name, theirs, theirs[0] / mine[0], wanted))
    return rows


def startup(setup):
    """CPU milliseconds of short commands: the least of 30 runs."""
    rows = []
    for arguments, limit in [(["--version"], 5), (["fit", "tree", "@iris", "--target", "species"], 20)]:
        least = min(run([setup.cairn] + arguments)[2] for _ in range(30)) * 1000
        rows.append(("cairn " + " ".join(arguments), least, limit))
    return rows


def item_sets(setup, rounds):
    """Seconds and memory of `compute itemsets` from file to file, and the number of sets."""
    rows = []
    for name, packed, support, wanted, limit in ITEM_SETS:
        source = os.path.join(setup.items, packed)
        if not os.path.exists(source):
            print("skipping item sets of %s: BENCH_ITEMS names the folder of its data" % name)
            continue
        plain = os.path.join(setup.data, name + ".dat")
        if not os.path.exists(plain):
            subprocess.run(["zstd", "-dqf", source, "-o", plain], check=True)
        made = os.path.join(setup.data, name + "-sets.csv")
        command = [setup.cairn, "compute", "itemsets", plain, "--input-format", "basket",
                   "--support", support, "--out", made, "--quiet", "--threads", THREADS]
        seen = [run(command) for _ in range(2 * rounds)]
        with open(made) as sets:
            found = sum(1 for _ in sets) - 1
        if found != wanted:
            sys.exit("%s: %d sets, not %d" % (name, found, wanted))
        rows.append(("%s at %s" % (name, support), found, min(s[1] for s in seen),
                     min(s[3] for s in seen), limit))
    return rows


def machine():
    with open("/proc/cpuinfo") as info:
        model = [l.split(":")[1].strip() for l in info if l.startswith("model name")][0]
    return "%s, %d cores, Linux %s" % (model, os.cpu_count(), platform.release())


def write_results(path, rows, starts, items, rounds):
    lines = ["# Benchmark results", "",
             "Made by `make bench`: both sides in turn in one run, %d rounds (one or two where" % rounds,
             "they take minutes), the best of each side;",
             "two threads; seconds for the task itself (reading not counted unless it is the task);",
             "memory is the peak of the whole process; ratio = peer time / Cairn time.", "",
             "Machine: " + machine(), "",
             "| task | side | seconds | MB | quality | ratio | wanted |",
             "|---|---|---|---|---|---|---|"]
    for title, name, (seconds, memory, quality), ratio, wanted in rows:
        lines.append("| %s | %s | %.3f | %.0f | %s | %s | %s |" % (
            title if name == "cairn" else "", name, seconds, memory, quality,
            "%.2f" % ratio if ratio else "", "%.1f" % wanted if wanted else ""))
    if starts:
        lines += ["", "## Start-up", "", "| command | CPU ms | wanted below |", "|---|---|---|"]
        lines += ["| `%s` | %.1f | %d |" % row for row in starts]
    if items:
        lines += ["", "## Frequent item sets, file to file, whole process", "",
                  "| data and support | sets | seconds | MB | best of Borgelt's programs |",
                  "|---|---|---|---|---|"]
        lines += ["| %s | %d | %.3f | %.0f | %.3f |" % row for row in items]
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--data", default="bench/data")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", default=os.path.join(HERE, "RESULTS.md"))
    parser.add_argument("tasks", nargs="*", help="beginnings of task names; all when none is given")
    options = parser.parse_args()
    setup = Setup(options)
    rows = []
    for task in TASKS:
        if options.tasks and not any(task[0].startswith(t) for t in options.tasks):
            continue
        needed = NEEDS.get(task[0])
        if needed and not os.path.exists(setup.path(needed)):
            print("skipping %s: there is no %s; BENCH_%s names the file" %
                  (task[0], setup.path(needed), needed), flush=True)
            continue
        print("running", task[0], flush=True)
        rows += compare(setup, task, min(options.rounds, ROUNDS.get(task[0], options.rounds)))
        for _, name, (seconds, memory, quality), ratio, _ in rows[-1 - len(task[3]):]:
            print("  %-36s %8.3f s %7.0f MB  %s%s" % (
                name, seconds, memory, quality, "  ratio %.2f" % ratio if ratio else ""), flush=True)
    starts = startup(setup) if not options.tasks or "start" in options.tasks else []
    items = item_sets(setup, options.rounds) if not options.tasks or "items" in options.tasks else []
    write_results(options.out, rows, starts, items, options.rounds)


main()

# SPDX-License-Identifier: MIT
"""The package on arrays, frames, Arrow data and files; answers are compared with numpy's."""
import decimal
import gc
import importlib.util
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import numpy as np

import cairn

RNG = np.random.default_rng(7)
X = RNG.normal(size=(200, 4))
Y = X @ [2.0, -1.0, 0.5, 0.0] + 3
CLASS = np.where(X[:, 0] + X[:, 1] > 0, "up", "down")


class FirstSteps(unittest.TestCase):
    """What newcomers type first."""

    def sales(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
            file.write("no;sold on;price;kind\n")
            file.writelines(f"{row};{row % 28 + 1:02}.03.2025;{row},5;{'ab'[row % 2]}\n" for row in range(40))
        self.addCleanup(os.unlink, file.name)
        return file.name

    def test_a_file_is_read_as_it_is_told(self):
        table = cairn.Table(self.sales(), separator=";", decimal=",", time_format="%d.%m.%Y", kinds="kind=text")
        self.assertEqual(table.shape, (40, 4))
        self.assertEqual([table.kind(name) for name in table.columns], ["number", "time", "number", "text"])
        self.assertEqual(table["price"][3], 3.5)
        with self.assertRaisesRegex(cairn.UsageError, "'sep'; there are format, separator"):
            cairn.Table(self.sales(), sep=";")
        with self.assertRaisesRegex(cairn.UsageError, "how a file is read, and dict is none"):
            cairn.Table({"a": [1]}, decimal=",")

    def test_roles_are_named_beside_parameters(self):
        table = cairn.Table(self.sales(), decimal=",", time_format="%d.%m.%Y")
        model = cairn.fit("tree", table, target="kind", id="no", ignore=["sold on"], max_depth=2)
        self.assertEqual(list(model.inputs), ["price"])
        self.assertEqual(model.parameter("max_depth"), "2")
        np.testing.assert_array_equal(model.predict(table), cairn.fit("tree:max-depth=2", table.with_roles(
            id="no", ignored="sold on"), "kind").predict(table))

    def test_estimators_of_other_names_lead_to_those_here(self):
        if importlib.util.find_spec("sklearn") is None:
            self.skipTest("scikit-learn is not installed")
        with self.assertRaisesRegex(ImportError, "did you mean ForestClassifier"):
            from cairn.sklearn import RandomForestClassifier  # noqa: F401
        import cairn.sklearn
        self.assertFalse(hasattr(cairn.sklearn, "Forest"))


class Fitting(unittest.TestCase):
    def test_numbers_are_those_of_least_squares(self):
        model = cairn.fit("linear", X, Y)
        self.assertEqual(model.task, "regress")
        np.testing.assert_allclose(model.predict(X), Y, atol=1e-9)

    def test_classes_are_what_y_holds(self):
        named = cairn.fit("tree", X, CLASS)
        self.assertEqual(named.classes, ["down", "up"] if CLASS[0] == "down" else named.classes)
        self.assertEqual(set(named.predict(X)), {"up", "down"})
        counted = cairn.fit("tree", X, (CLASS == "up").astype(int))
        self.assertEqual(counted.predict(X).dtype.kind, "i")
        np.testing.assert_array_equal(counted.predict(X) == 1, named.predict(X) == "up")

    def test_every_layout_of_memory_gives_the_same(self):
        model = cairn.fit("forest", X, CLASS)
        told = model.predict_proba(X)
        wide = np.zeros((200, 9))
        wide[:, 1::2] = X
        for other in (np.asfortranarray(X), X[::-1][::-1], wide[:, 1::2], X.tolist(), cairn.Table(X)):
            with self.subTest(type=type(other).__name__):
                np.testing.assert_array_equal(model.predict_proba(other), told)
                np.testing.assert_array_equal(
                    cairn.fit("forest", other, CLASS).predict_proba(X), told)

    def test_scores_add_up_to_1_and_their_largest_is_the_class(self):
        model = cairn.fit("logistic", X, CLASS)
        scores = model.predict_proba(X)
        np.testing.assert_allclose(scores.sum(axis=1), 1)
        largest = np.array(model.classes, object)[scores.argmax(axis=1)]
        np.testing.assert_array_equal(model.predict(X), largest)

    def test_weights_are_repeated_rows(self):
        weights = RNG.integers(1, 4, size=200)
        twice = np.repeat(np.arange(200), weights)
        np.testing.assert_allclose(
            cairn.fit("linear", X, Y + X[:, 0] ** 2, weights=weights).predict(X),
            cairn.fit("linear", X[twice], (Y + X[:, 0] ** 2)[twice]).predict(X))

    def test_columns_by_name_and_missing_cells(self):
        data = {"size": [1.0, 2.0, np.nan, 4.0] * 5, "colour": ["red", "blue", None, "red"] * 5,
                "kind": ["a", "b", "b", "a"] * 5}
        model = cairn.fit("tree", data, "kind")
        self.assertEqual(model.inputs, ["size", "colour"])
        answers = model.predict({"colour": ["red", "blue"], "size": [1.0, 2.0]})
        self.assertEqual(list(answers), ["a", "b"])

    def test_parameters_by_keyword_or_in_the_name(self):
        by_word = cairn.fit("tree", X, CLASS, max_depth=2)
        by_name = cairn.fit("tree:max-depth=2", X, CLASS)
        self.assertEqual(by_word.parameter("max_depth"), "2")
        np.testing.assert_array_equal(by_word.predict_proba(X), by_name.predict_proba(X))

    def test_clusters_and_transforms(self):
        centres = np.array([[0, 0], [10, 0], [0, 10]])
        points = np.repeat(centres, 20, axis=0) + RNG.normal(size=(60, 2))
        found = cairn.fit("kmeans:clusters=3", points, with_=["standardise"]).predict(points)
        self.assertEqual(len(set(map(tuple, found.reshape(3, 20).tolist()))), 3)
        self.assertTrue(all(len(set(row)) == 1 for row in found.reshape(3, 20)))

    def test_steps_and_learned_tables(self):
        steps = cairn.Report()
        model = cairn.fit("linear", X, Y, steps=steps)
        self.assertIn("Step 1", str(steps))
        self.assertIn("columns", model.tables)
        self.assertEqual(len(model.tables["columns"]), 5)


class Labels(unittest.TestCase):
    UP = X[:, 0] > 0

    def same(self, labels, wanted_type):
        """Labels come back from a column and an array, also when the model was saved."""
        frame = {"a": X[:, 0], "b": X[:, 1], "y": labels}
        by_name, by_array = cairn.fit("tree", frame, "y"), cairn.fit("tree", X, labels)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.cairn")
            by_name.save(path)
            loaded = cairn.load(path)
        for model in (by_name, loaded, pickle.loads(pickle.dumps(by_name))):
            self.assertEqual(model.predict(frame).dtype, wanted_type)
            np.testing.assert_array_equal(model.predict(frame), labels)
            self.assertEqual(model.predictor()(X[0, :2]), labels[0])
        np.testing.assert_array_equal(by_array.predict(X), labels)
        self.assertEqual(by_array.predict(X).dtype, wanted_type)

    def test_labels_keep_their_type(self):
        for labels, wanted in (
            (self.UP.astype(int), np.int64), (self.UP.astype(np.int8), np.int8), (self.UP, bool),
            (np.where(self.UP, 100000, -3), np.int64), (self.UP.astype(float), float),
            (np.where(self.UP, "up", "down"), object), (np.where(self.UP, "1", "0"), object), (self.UP.astype(object), bool),
            (np.where(self.UP, "True", "False"), object),
        ):
            with self.subTest(labels=labels[:2], type=labels.dtype):
                self.same(labels, wanted)

    def test_numbers_of_a_table_come_back_as_numbers(self):
        table = cairn.Table({"a": X[:, 0], "y": self.UP.astype(int)})
        answers = cairn.fit("tree", table, "y").predict({"a": X[:, 0]})
        self.assertEqual(answers.dtype, np.int64)

    def test_arrow_data_keep_the_type_of_their_labels(self):
        class Arrow:  # as pyarrow and polars have it
            def __getitem__(self, name):
                return {"y": Labels.UP}[name]

            def __arrow_c_array__(self, requested_schema=None):
                return cairn.Table({"a": X[:, 0], "y": Labels.UP}).__arrow_c_array__()

        np.testing.assert_array_equal(cairn.fit("tree", Arrow(), "y").predict({"a": X[:, 0]}), self.UP)
        self.assertEqual(cairn.fit("tree", Arrow(), "y").predict({"a": X[:, 0]}).dtype, bool)

    def test_of_several_targets_the_first_counts(self):
        data = {"a": X[:, 0], "y": self.UP, "z": np.where(self.UP, "p", "q")}
        self.assertEqual(cairn.fit("multi-target", data, ["y", "z"]).predict(data).dtype, bool)

    def test_a_searched_model_answers_so_too(self):
        chosen = cairn.tune("tree", {"a": X[:, 0], "y": self.UP}, "y", over={"max_depth": "1:2"}).model
        self.assertEqual(chosen.predict({"a": X[:, 0]}).dtype, bool)

    def test_no_answer_is_none(self):
        model = cairn.fit("svm", X, self.UP.astype(int), missing="fail")
        found = model.predict(np.array([[np.nan, 1, 2, 3], [2, 2, 2, 2]]))
        self.assertEqual(found.tolist()[1], 1)
        self.assertIn(found.tolist()[0], (None, 0, 1))

    def test_categories(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas")
        for labels in (pandas.Categorical(np.where(self.UP, 3, 1), categories=[3, 2, 1], ordered=True),
                       pandas.Categorical(np.where(self.UP, "up", "down")), pandas.Categorical(self.UP)):
            frame = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": labels})
            model = cairn.fit("tree", frame, "y")
            again = cairn.Model.from_bytes(model.to_bytes())
            for answers in (model.predict(frame), again.predict(frame)):
                self.assertEqual(answers.dtype, labels.dtype)
                self.assertTrue((answers == labels).all())
        self.assertEqual(cairn.fit("tree", frame.assign(y=self.UP.astype(int)), "y").predict(frame).dtype, np.int64)


class Rows(unittest.TestCase):
    def test_single_rows_are_answered_as_many_are(self):
        for learner, y in (("tree", CLASS), ("linear", Y), ("logistic", CLASS), ("kmeans:clusters=2", None)):
            model = cairn.fit(learner, X, y)
            predictor = model.predictor(exact=True)
            self.assertEqual(predictor.columns, ["x1", "x2", "x3", "x4"])
            self.assertEqual([predictor(row) for row in X[:20]], model.predict(X[:20]).tolist())
            if y is CLASS:
                np.testing.assert_array_equal(predictor.predict_proba(X[0].tolist()), model.predict_proba(X[:1])[0])

    def test_rows_by_name_and_of_any_kind(self):
        data = {"size": [1.0, 2.0, 3.0, 4.0] * 5, "colour": ["red", "blue", "red", "blue"] * 5,
                "grade": [1, 2, 3, 1] * 5, "kind": [True, False, True, True] * 5}
        model = cairn.fit("tree", data, "kind")
        predictor = model.predictor()
        rows = [{name: data[name][i] for name in model.inputs} for i in range(4)]
        self.assertEqual([bool(predictor(row)) for row in rows], data["kind"][:4])
        self.assertEqual([bool(predictor(list(row.values()))) for row in rows], data["kind"][:4])
        np.testing.assert_array_equal(
            predictor.predict_proba({"colour": "green"}),
            model.predict_proba({"size": [None], "colour": [None], "grade": [None]})[0])
        colour = model.predictor(["colour", "note"], ignore_unknown=True, missing_columns=True)
        self.assertIsNotNone(colour(["red", "whatever"]))
        for row, words in (([1, 2], "2 cells where the model has 3"), (["x", "red", 1], "'x' is no number")):
            with self.assertRaisesRegex(cairn.UsageError, words):
                predictor(row)
        with self.assertRaisesRegex(cairn.BadDataError, "size"):
            predictor([np.inf, "red", 1])
        with self.assertRaisesRegex(cairn.UsageError, "scores"):
            cairn.fit("linear", X, Y).predictor().predict_proba(X[0])

    def test_a_model_that_changes_or_goes_is_not_asked(self):
        model = cairn.fit("bayes", X, CLASS)
        predictor = model.predictor()
        model.update({f"x{j + 1}": X[:50, j] for j in range(4)} | {"y": CLASS[:50]}, "y")
        with self.assertRaisesRegex(cairn.UsageError, "updated or closed"):
            predictor(X[0])
        predictor = model.predictor()
        self.assertIn(predictor(X[0]), ("up", "down"))
        model.close()
        with self.assertRaisesRegex(cairn.UsageError, "updated or closed"):
            predictor(X[0])

    def test_threads_take_turns(self):
        predictor, found = cairn.fit("forest", X, CLASS).predictor(), []

        def ask():
            found.append([predictor(row) for row in X[:50]])

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all(answers == found[0] for answers in found))


class Comparing(unittest.TestCase):
    def test_learners_then_data_then_target(self):
        frame = {"a": X[:, 0], "b": X[:, 1], "y": CLASS}
        wanted = str(cairn.compare(["majority", "tree"], frame, "y"))
        self.assertEqual(str(cairn.compare("majority", "tree", frame, "y")), wanted)
        self.assertEqual(str(cairn.compare("majority", "tree", data=frame, y="y")), wanted)
        self.assertEqual(str(cairn.compare(learners=["majority", "tree"], data=frame, y="y")), wanted)
        self.assertIn("tree:max-depth=2", str(cairn.compare("majority", "tree:max-depth=2", "@iris")))

    def test_no_file_named_like_a_learner_is_opened(self):
        frame = {"a": X[:, 0], "y": CLASS}
        for call, words in (
            (lambda: cairn.compare("tree", "forst", frame, "y"), "did you mean 'forest'"),
            (lambda: cairn.compare("tree", "forest"), "then the data"),
            (lambda: cairn.compare(frame, "y"), "learners"),
            (lambda: cairn.evaluate("tree", "forest", X), "stands where the data should"),
            (lambda: cairn.fit("tree", "forest", X), "several learners are compared by"),
        ):
            with self.assertRaisesRegex(cairn.UsageError, words):
                call()


class Elsewhere(unittest.TestCase):
    def test_saved_loaded_and_pickled(self):
        model = cairn.fit("tree", X, (CLASS == "up").astype(int))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.cairn")
            model.save(path)
            np.testing.assert_array_equal(cairn.load(path).predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
        self.assertIn("model_predict", model.export("c"))

    def test_verbs(self):
        report = cairn.evaluate("tree:max-depth=2", X, CLASS, by="cv:5")
        self.assertTrue(0.5 < report["accuracy"] <= 1)
        self.assertIn("accuracy", report.values)
        self.assertTrue(any(len(table) for _, table in report.tables))
        self.assertIn("<iframe", report._repr_html_())
        chosen = cairn.tune("tree", X, CLASS, over={"max_depth": "1:3"}).model
        self.assertEqual(chosen.learner, "tree")
        self.assertIn("tree", str(cairn.compare(["majority", "tree"], X, CLASS)))
        self.assertEqual(cairn.compute("impurity", counts="9,5")["entropy"], 0.9402859586706311)
        self.assertTrue(cairn.draw("scatter", cairn.Table("@iris"))._repr_svg_().startswith("<svg"))
        self.assertIn("200", str(cairn.describe(X)))
        self.assertIn("path", str(chosen.explain(X, rows="1")))

    def test_one_row_is_explained_beside_training_rows(self):
        model = cairn.fit("boost", "@iris", "species")
        row = {"sepal_length": [7.7], "sepal_width": [3.8], "petal_length": [6.7], "petal_width": [2.2]}
        told = model.explain(row)
        self.assertEqual(told["explain.background.from"], "training")
        self.assertGreater(told["explain.1.petal_length"], 1)
        self.assertEqual(model.explain(row, background=row)["explain.1.petal_length"], 0)

    def test_run_with_objects(self):
        report = cairn.run("predict", "@m", "@d", "--out", "@answers", table="answers",
                           objects={"m": cairn.fit("linear", X, Y), "d": X})
        np.testing.assert_allclose(report.table[0], Y, atol=1e-9)


class Tables(unittest.TestCase):
    def test_columns_come_back(self):
        table = cairn.Table({"n": [1, 2, 3], "t": ["a", None, "b"], "when": np.array(
            ["2026-01-01", "NaT", "2026-01-02T03:04:05"], dtype="datetime64[s]")})
        np.testing.assert_array_equal(table["n"], [1, 2, 3])
        self.assertEqual(list(table["t"]), ["a", None, "b"])
        self.assertEqual(str(table["when"][2]), "2026-01-02T03:04:05.000000")
        self.assertTrue(np.isnat(table["when"][1]))

    def test_decimals_are_numbers(self):
        prices = [decimal.Decimal("19.90"), None, decimal.Decimal("-0.05")]
        np.testing.assert_array_equal(cairn.Table({"price": prices})["price"], [19.9, np.nan, -0.05])

    def test_arrow_both_ways(self):
        class Arrow:
            def __arrow_c_array__(self, requested_schema=None):
                return cairn.Table("@weather").__arrow_c_array__()

        self.assertEqual(list(cairn.Table(Arrow())["outlook"]), list(cairn.Table("@weather")["outlook"]))
        cairn.Table("@weather").__arrow_c_array__()  # nobody takes it
        gc.collect()

    def test_what_is_lent_lives_as_long_as_it_is_used(self):
        from cairn import _table

        before = len(_table._lent)
        table = cairn.Table(np.asfortranarray(RNG.normal(size=(50, 3))))
        self.assertEqual(len(_table._lent), before + 1)
        copy = table.copy()
        del table
        gc.collect()
        self.assertEqual(len(_table._lent), before + 1)
        self.assertTrue(np.isfinite(copy["x1"]).all())
        del copy
        gc.collect()
        self.assertEqual(len(_table._lent), before)

    def test_frames(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = pandas.DataFrame({
            "size": pandas.Categorical(["s", "l", "s"], categories=["s", "m", "l"], ordered=True),
            "n": pandas.array([1, None, 3], dtype="Int64"), "day": pandas.to_datetime(["2026-01-01"] * 3)})
        table = cairn.Table(frame)
        self.assertEqual(list(table["size"]), ["s", "l", "s"])
        self.assertTrue(np.isnan(table["n"][1]))
        self.assertEqual(str(table.to_pandas()["day"][0])[:10], "2026-01-01")


class BadInput(unittest.TestCase):
    def test_messages_name_what_is_wrong(self):
        cases = [
            (lambda: cairn.fit("tre", X, Y), cairn.UsageError, "did you mean 'tree'"),
            (lambda: cairn.fit("tree:max-dept=2", X, Y), cairn.UsageError, "max-depth"),
            (lambda: cairn.fit("tree", X, Y[:5]), cairn.UsageError, "5 rows where the others have 200"),
            (lambda: cairn.fit("tree", [[1, 2], [3]], [1, 2]), cairn.UsageError, "different lengths"),
            (lambda: cairn.fit("tree", X[:, 0], Y), cairn.UsageError, "reshape"),
            (lambda: cairn.fit("tree", X * 1j, Y), cairn.UsageError, "complex"),
            (lambda: cairn.fit("tree", np.full((3, 1), np.inf), [1, 2, 3]), cairn.BadDataError, "x1"),
            (lambda: cairn.fit("tree", {"a": [object()], "y": [1]}, "y"), cairn.UsageError, "object"),
            (lambda: cairn.fit("tree", X, "nowhere"), cairn.CairnError, "nowhere"),
            (lambda: cairn.fit("tree", X, Y, names=["a"]), cairn.UsageError, "1 names for 4"),
            (lambda: cairn.fit("tree", 5), cairn.UsageError, "dimensions"),
            (lambda: cairn.Table({"a": [1], "b": [1, 2]}), cairn.UsageError, "'b' has 2 rows"),
            (lambda: cairn.Table({}), cairn.UsageError, "without columns"),
            (lambda: cairn.Table("no-such-file.csv"), cairn.FileError, "no-such-file.csv"),
            (lambda: cairn.Table("@iris")["petals"], KeyError, "petals"),
            (lambda: cairn.fit("linear", X, Y).predict(X[:, :2]), cairn.BadDataError, "x3"),
            (lambda: cairn.fit("linear", X, Y).predict_proba(X), cairn.UsageError, "no scores"),
            (lambda: cairn.Model.from_bytes(b"nonsense"), cairn.CairnError, "model"),
            (lambda: cairn.evaluate("tree", X, CLASS)["acuracy"], KeyError, "acuracy"),
        ]
        for i, (call, kind, words) in enumerate(cases):
            with self.subTest(i=i), self.assertRaises(kind) as raised:
                call()
            self.assertIn(words, str(raised.exception))

    def test_a_closed_model_says_so(self):
        model = cairn.fit("linear", X, Y)
        model.close()
        model.close()
        with self.assertRaisesRegex(cairn.UsageError, "closed"):
            model.predict(X)

    def test_warnings_of_the_log(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            cairn.fit("tree", {"c": ["a", "b"] * 10, "y": [0, 1] * 10}, "y").predict({"c": ["z"]})
        self.assertTrue(any(issubclass(w.category, cairn.CairnWarning) for w in told))


class Threads(unittest.TestCase):
    def test_a_model_is_shared_by_threads(self):
        model = cairn.fit("forest", X, CLASS)
        wanted, found = model.predict_proba(X), [None] * 8

        def ask(place):
            found[place] = model.predict_proba(X)

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for answer in found:
            np.testing.assert_array_equal(answer, wanted)

    def test_an_interrupt_cancels(self):
        program = (
            "import numpy as np, cairn, sys\n"
            "X = np.random.default_rng(1).normal(size=(20000, 40))\n"
            "print('begin', flush=True)\n"
            "try:\n    cairn.fit('forest:trees=100000', X, X[:, 0])\n"
            "except KeyboardInterrupt:\n    print('stopped', flush=True)\n"
            "print(cairn.fit('linear', X[:50, :2], X[:50, 3]).task)\n")
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as child:
            self.assertEqual(child.stdout.readline(), "begin\n")
            timer = threading.Timer(1.5, child.send_signal, [signal.SIGINT])
            timer.start()
            self.assertEqual(child.communicate(timeout=60)[0], "stopped\nregress\n")


class Registry(unittest.TestCase):
    def test_entries(self):
        tree = cairn.entry("tree")
        self.assertEqual(tree.title, "Decision tree")
        depth = next(p for p in tree.parameters if p.name == "max-depth")
        self.assertEqual((depth.type, depth.default), ("int", "0"))
        self.assertIn("standardise", [e.name for e in cairn.entries("transform")])
        with self.assertRaises(cairn.UsageError):
            cairn.entry("no-such")

    def test_names_of_other_packages_are_answered(self):
        for name in "read_csv", "load_model", "GridSearchCV":
            with self.assertRaisesRegex(AttributeError, rf"cairn has no '{name}'; here it is .*cairn\."):
                getattr(cairn, name)
        model = cairn.fit("tree", "@iris", "species")
        with self.assertRaisesRegex(AttributeError, "a model has no 'score'; here it is cairn.evaluate"):
            model.score
        with self.assertRaisesRegex(AttributeError, "a model has no 'nonsense'$"):
            model.nonsense
        self.assertGreater(cairn.evaluate(model, "@iris")["accuracy"], 0.9)
        self.assertTrue(len(cairn.compute("importance", model, "@iris").values) > 4)


if __name__ == "__main__":
    unittest.main()

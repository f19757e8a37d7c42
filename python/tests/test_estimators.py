# SPDX-License-Identifier: MIT
"""scikit-learn's check_estimator over every estimator; what does not hold is listed with its reason.

A check that fails and is not listed is an error, and so is one that is listed and holds."""
import functools
import pickle
import unittest
import warnings

import numpy as np

try:
    import pandas
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.utils.estimator_checks import check_estimator
except ImportError:
    print("scikit-learn and pandas are not installed: estimators are not checked")
    raise SystemExit(77)

import cairn
import cairn.sklearn

ZERO_WEIGHT = "random numbers, folds or neighbours are dealt to rows, also to those of weight 0"
TIE = "equal scores are told apart by a rule of its own, not by the first of them"
ROUNDS = "it does not tell how many rounds it took"
SEQUENCES = "it learns from sequences, and these are numbers"
POOR = "it looks at too little to be as good as the check wants"
FEW = "a stage has its neighbours among the few rows that reach it"

EXCEPTIONS = {
    "BayesNetClusterer": {"check_clustering": "a density: all rows are one cluster"},
    "BoostThreeClassifier": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "CascadeClassifier": dict.fromkeys([
        "check_sample_weights_pandas_series", "check_sample_weights_not_an_array",
        "check_estimators_fit_returns_self", "check_estimators_overwrite_params"], FEW),
    "ClusteringTreeClusterer": {"check_clustering": "it makes as many clusters as its gain is worth"},
    "ForestClassifier": {"check_sample_weights_invariance": ZERO_WEIGHT,
                         "check_class_weight_classifiers":
                             "its trees grow until the rows of a leaf agree, whatever classes weigh"},
    "ForestRegressor": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "GlmClassifier": "it classifies with family=binomial or multinomial only",
    "HierarchyClusterer": {"check_clustering": "without 'clusters' it is a tree and cuts nothing"},
    "HmmClusterer": "the rows are one sequence: what an answer is depends on its neighbours",
    "HmmClassifier": {"check_non_transformer_estimators_n_iter": ROUNDS},
    "KernelKmeansClusterer": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "KmeansClusterer": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "KmedoidsClusterer": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "KnnClassifier": {"check_classifiers_train": TIE},
    "MajorityClassifier": {"check_classifiers_train": POOR, "check_classifiers_classes": POOR},
    "MajorityRegressor": {"check_regressors_train": POOR},
    "MarkovChainClusterer": SEQUENCES,
    "MarkovClassifier": SEQUENCES,
    "MixtureClusterer": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "NetworkClassifier": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "NetworkRegressor": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "OneRClassifier": {"check_classifiers_train": POOR},
    "RecurrentRegressor": {"check_regressors_train": "rows are no series, and what it makes of these hangs on last digits"},
    "RecurrentClassifier": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "StackClassifier": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "SvmClassifier": {"check_non_transformer_estimators_n_iter": ROUNDS},
    "SvmRegressor": {"check_non_transformer_estimators_n_iter": ROUNDS},
    "TdRegressor": {"check_regressors_train": "rows are states of an episode, and these are none"},
    "TreeRegressor": {"check_regressors_train": "the check sets 'alpha', which counts with pruning only"},
    "VoteRegressor": {"check_sample_weights_invariance": ZERO_WEIGHT},
}

TEXTS = "it makes levels of numbers, and the checks want numbers"
TOLD = "it does nothing without being told what, and the checks tell nothing"
PICTURES = "its columns are of a picture, a sound or a pair, and these are not"
FILLED = {"check_estimators_pickle": "it wants missing cells to be filled first, and says so"}

TRANSFORMERS = {
    **dict.fromkeys(["BinsTransformer", "DiscretiseTransformer", "MergeTransformer", "QuantiseTransformer",
                     "ThresholdTransformer"], TEXTS),
    **dict.fromkeys(["DesignTransformer", "DropTransformer", "FormulaTransformer", "InflateTransformer",
                     "KeepTransformer", "RecodeTransformer", "RenameTransformer"], TOLD),
    **dict.fromkeys(["LpcFeaturesTransformer", "PixelFeaturesTransformer", "PolarTransformer"], PICTURES),
    "DecomposeTransformer": {**FILLED, "check_transformer_n_iter": ROUNDS},
    "DiscriminantAxesTransformer": FILLED,
    "PcaTransformer": FILLED,
    "SelectTransformer": {"check_fit2d_1sample": "it says in words of its own that a row is too few"},
}


def failures(kind):
    """The names of the checks that fail, with what they say."""
    wanted = {p.name: 3 for p in kind._entry.parameters if p.required}
    found = {}
    for estimator, check in check_estimator(kind(**wanted), generate_only=True):
        try:
            check(estimator)
        except unittest.SkipTest:
            pass
        except Exception as error:  # whatever it is, it is a check that does not hold
            name = check.func.__name__ if isinstance(check, functools.partial) else check.__name__
            found[name] = f"{type(error).__name__}: {error}"
    return found


class Estimators(unittest.TestCase):
    def test_each(self):
        self.check(cairn.sklearn.estimators(), EXCEPTIONS, 40)

    def test_each_transformer(self):
        self.check(cairn.sklearn.transformers(), TRANSFORMERS, 20)

    def check(self, kinds, exceptions, least):
        passing = 0
        for name, kind in kinds.items():
            listed = exceptions.get(name, {})
            if isinstance(listed, str):
                continue
            with self.subTest(estimator=name), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = failures(kind)
                self.assertEqual(set(found), set(listed), found)
                passing += not found
        self.assertGreaterEqual(passing, least)

    def test_frames_with_texts_and_categories(self):
        """As cairn.fit takes them, in pipelines and searches too."""
        rng = np.random.default_rng(5)
        colour, size = rng.choice(["red", "blue"], 90), rng.normal(size=90)
        frame = pandas.DataFrame({"colour": colour, "size": size,
                                  "shape": pandas.Categorical(rng.choice(["round", "square"], 90))})
        y = np.where((colour == "red") & (frame["shape"] == "round"), 1, 0)
        for name in ("Tree", "Forest", "Boost", "Logistic", "Bayes", "Svm", "Ripper"):
            kind = getattr(cairn.sklearn, name + "Classifier")
            wanted = cairn.fit(name.lower(), frame, y, task="classify").predict(frame)
            found = kind().fit(frame, y)
            np.testing.assert_array_equal(found.predict(frame), wanted)
            self.assertEqual(found.predict(frame).dtype, y.dtype)
            self.assertEqual(list(found.feature_names_in_), list(frame.columns))
            again = pickle.loads(pickle.dumps(found))
            np.testing.assert_array_equal(again.predict(frame), wanted)
            with self.assertRaises(ValueError):
                found.predict(frame[["size", "colour", "shape"]])
        searched = GridSearchCV(cairn.sklearn.TreeClassifier(), {"max_depth": [1, 3]}, cv=3).fit(frame, y)
        self.assertEqual(searched.score(frame, y), 1)
        piped = make_pipeline(cairn.sklearn.IndicatorsTransformer(), cairn.sklearn.LogisticClassifier())
        self.assertGreater(cross_val_score(piped, frame, y, cv=3).min(), 0.9)
        shown = cairn.sklearn.IndicatorsTransformer().set_output(transform="pandas").fit_transform(frame)
        self.assertEqual(sorted(shown.columns)[:2], ["colour=blue", "colour=red"])

    def test_parameters_that_are_not_there(self):
        with self.assertRaisesRegex(TypeError, "max_dept"):
            cairn.sklearn.TreeClassifier(max_dept=2)
        self.assertEqual(cairn.sklearn.TreeClassifier(max_depth=2).get_params()["max_depth"], 2)


if __name__ == "__main__":
    cairn.set_threads(1)
    unittest.main()

# SPDX-License-Identifier: MIT
"""scikit-learn's check_estimator over every estimator; what does not hold is listed with its reason.

A check that fails and is not listed is an error, and so is one that is listed and holds."""
import functools
import unittest
import warnings

try:
    from sklearn.utils.estimator_checks import check_estimator
except ImportError:
    print("scikit-learn is not installed: estimators are not checked")
    raise SystemExit(77)

import cairn
import cairn.sklearn

ZERO_WEIGHT = "random numbers, folds or neighbours are dealt to rows, also to those of weight 0"
TIE = "equal scores are told apart by a rule of its own, not by the first of them"
ROUNDS = "it does not tell how many rounds it took"
SEQUENCES = "it learns from sequences, and these are numbers"
POOR = "it looks at too little to be as good as the check wants"
STRENGTH = "its penalty keeps even a class of weight 1000 from taking all rows"
FEW = "a stage has its neighbours among the few rows that reach it"

EXCEPTIONS = {
    "BaggingClassifier": {"check_classifiers_train": TIE},
    "BayesNetClusterer": {"check_clustering": "a density: all rows are one cluster"},
    "BoostClassifier": {"check_class_weight_classifiers": STRENGTH},
    "CascadeClassifier": dict.fromkeys([
        "check_sample_weights_pandas_series", "check_sample_weights_not_an_array",
        "check_estimators_fit_returns_self", "check_estimators_overwrite_params"], FEW),
    "ClusteringTreeClusterer": {"check_clustering": "it makes as many clusters as its gain is worth"},
    "ForestClassifier": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "ForestRegressor": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "GlmClassifier": "it classifies with family=binomial or multinomial only",
    "HierarchyClusterer": {"check_clustering": "without 'clusters' it is a tree and cuts nothing"},
    "HmmClusterer": "the rows are one sequence: what an answer is depends on its neighbours",
    "HmmClassifier": {"check_non_transformer_estimators_n_iter": ROUNDS},
    "KernelKmeansClusterer": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "KmeansClusterer": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "KmedoidsClusterer": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "KnnClassifier": {"check_classifiers_train": TIE},
    "LogisticClassifier": {"check_class_weight_classifiers": STRENGTH},
    "MajorityClassifier": {"check_classifiers_train": POOR, "check_classifiers_classes": POOR},
    "MajorityRegressor": {"check_regressors_train": POOR},
    "MarkovChainClusterer": SEQUENCES,
    "MarkovClassifier": SEQUENCES,
    "NetworkClassifier": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "OneRClassifier": {"check_classifiers_train": POOR},
    "RecurrentClassifier": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "StackClassifier": {"check_sample_weights_invariance": ZERO_WEIGHT},
    "SvmClassifier": {"check_class_weight_classifiers": STRENGTH,
                      "check_non_transformer_estimators_n_iter": ROUNDS},
    "SvmRegressor": {"check_non_transformer_estimators_n_iter": ROUNDS},
    "TdRegressor": {"check_regressors_train": "rows are states of an episode, and these are none"},
    "TreeRegressor": {"check_regressors_train": "the check sets 'alpha', which counts with pruning only"},
    "VoteClassifier": {"check_classifiers_train": TIE},
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
        passing = 0
        for name, kind in cairn.sklearn.estimators().items():
            listed = EXCEPTIONS.get(name, {})
            if isinstance(listed, str):
                continue
            with self.subTest(estimator=name), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = failures(kind)
                self.assertEqual(set(found), set(listed), found)
                passing += not found
        self.assertGreaterEqual(passing, 40)

    def test_parameters_that_are_not_there(self):
        with self.assertRaisesRegex(TypeError, "max_dept"):
            cairn.sklearn.TreeClassifier(max_dept=2)
        self.assertEqual(cairn.sklearn.TreeClassifier(max_depth=2).get_params()["max_depth"], 2)


if __name__ == "__main__":
    cairn.set_threads(1)
    unittest.main()

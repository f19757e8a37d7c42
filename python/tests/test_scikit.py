# SPDX-License-Identifier: MIT
"""The estimators on an interface as scikit-learn 1.7 has it, which need not be installed.

The modules below have what 1.6 brought and lack what 1.7 and 1.8 took away: there is `validate_data`
and no `_validate_data`, `__sklearn_tags__` and no `_more_tags`, `ensure_all_finite` and no
`force_all_finite`. With the argument `old` they are as 1.2 was."""
import subprocess
import sys
import types
import unittest

import numpy as np

RNG = np.random.default_rng(3)
X = RNG.normal(size=(80, 2))
UP = X[:, 0] > 0


class Tags:
    def __init__(self):
        self.input_tags = types.SimpleNamespace(allow_nan=False, string=False, categorical=False)
        self.estimator_type = None


class BaseEstimator:
    """Parameters as __init__ names them."""

    def get_params(self, deep=True):
        import inspect

        names = list(inspect.signature(type(self).__init__).parameters)[1:]
        return {name: getattr(self, name) for name in names}


class New(BaseEstimator):
    def __sklearn_tags__(self):
        return Tags()


class Old(BaseEstimator):
    def _validate_data(self, X, y="none", reset=True, **how):
        how["ensure_all_finite"] = how.pop("force_all_finite")
        return validate_data(self, X, *([] if isinstance(y, str) else [y]), reset=reset, **how)

    def _check_feature_names(self, X, *, reset):
        if reset and hasattr(X, "columns"):
            self.feature_names_in_ = np.array(list(X.columns), dtype=object)

    def _check_n_features(self, X, reset):
        if reset:
            self.n_features_in_ = X.shape[1]


class Classifies:
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        return tags


class Plain:
    pass


def check_array(array, *, dtype="numeric", ensure_all_finite=True, ensure_2d=True, **more):
    assert "force_all_finite" not in more, "1.8 does not know it"
    found = np.asarray(array, dtype=None if dtype is None else dtype[0] if isinstance(dtype, list) else float)
    if ensure_2d and found.ndim != 2:
        raise ValueError("Expected 2D array")
    if ensure_all_finite is True and found.dtype.kind == "f" and not np.isfinite(found).all():
        raise ValueError("Input contains NaN")
    return found


def validate_data(estimator, X, *y, reset=True, skip_check_array=False, y_numeric=False, **how):
    names = list(X.columns) if hasattr(X, "columns") else None
    if reset:
        estimator.n_features_in_ = np.shape(X)[1]
        estimator.__dict__.pop("feature_names_in_", None)
        if names is not None:
            estimator.feature_names_in_ = np.array(names, dtype=object)
    elif np.shape(X)[1] != estimator.n_features_in_:
        raise ValueError(f"X has {np.shape(X)[1]} features, but {estimator.n_features_in_} are expected")
    rows = X if skip_check_array else check_array(X, **how)
    return (rows, np.asarray(y[0])) if y else rows


def check_is_fitted(estimator, attribute):
    if not hasattr(estimator, attribute):
        raise ValueError("not fitted")


def force_all_finite(array, *, dtype="numeric", force_all_finite=True, ensure_2d=True):
    return check_array(array, dtype=dtype, ensure_all_finite=force_all_finite, ensure_2d=ensure_2d)


def install(old=False):
    """Put the modules where an import finds them."""
    root, base = types.ModuleType("sklearn"), types.ModuleType("sklearn.base")
    utils, validation = types.ModuleType("sklearn.utils"), types.ModuleType("sklearn.utils.validation")
    multiclass = types.ModuleType("sklearn.utils.multiclass")
    base.BaseEstimator = Old if old else New
    base.ClassifierMixin = Plain if old else Classifies
    base.RegressorMixin = base.ClusterMixin = base.TransformerMixin = Plain
    multiclass.check_classification_targets = lambda y: None
    validation.check_array = force_all_finite if old else check_array
    validation.check_consistent_length = lambda *arrays: None
    validation.column_or_1d = lambda y, warn=False: np.asarray(y)
    validation.check_is_fitted = check_is_fitted
    if not old:
        validation.validate_data = validate_data
    utils.validation, utils.multiclass = validation, multiclass
    for module in (root, base, utils, validation, multiclass):
        sys.modules[module.__name__] = module


class Column:
    """A column of a data frame, as far as it is looked at."""

    def __init__(self, cells):
        self.cells = np.asarray(cells)
        self.dtype = self.cells.dtype

    def __len__(self):
        return len(self.cells)

    def __array__(self, dtype=None, copy=None):
        return self.cells.astype(dtype) if dtype is not None else self.cells


class Names(list):
    is_unique = True


class Frame:
    """A data frame, as far as it is looked at."""

    def __init__(self, columns):
        self.held = {name: Column(cells) for name, cells in columns.items()}
        self.columns, self.dtypes = Names(self.held), [c.dtype for c in self.held.values()]
        self.shape = len(next(iter(self.held.values()))), len(self.held)
        self.iloc = self

    def __getitem__(self, key):
        return self.held[self.columns[key[1]] if isinstance(key, tuple) else key]

    def __contains__(self, key):
        return key in self.held

    def __len__(self):
        return self.shape[0]

    def __array__(self, dtype=None, copy=None):
        return np.column_stack([column.cells for column in self.held.values()]).astype(dtype)


COLOUR = np.where(UP, "red", "blue").astype(object)
MIXED = Frame({"a": X[:, 1], "colour": COLOUR})
NUMBERS = Frame({"a": X[:, 0], "b": X[:, 1]})


class Estimators(unittest.TestCase):
    def test_tags(self):
        kind = self.module.TreeClassifier
        if "old" in sys.argv:
            self.assertEqual(kind()._more_tags()["X_types"], ["2darray", "string"])
            self.assertFalse(hasattr(kind, "__sklearn_tags__"))
            return
        tags = kind().__sklearn_tags__()
        self.assertEqual(tags.estimator_type, "classifier")
        self.assertTrue(tags.input_tags.allow_nan and tags.input_tags.string)
        self.assertFalse(hasattr(kind, "_more_tags"))

    def test_numbers(self):
        for data in (X, NUMBERS, X.tolist()):
            found = self.module.TreeClassifier(random_state=1, n_jobs=1).fit(data, UP.astype(int))
            self.assertEqual(found.predict(data).dtype, np.int64)
            np.testing.assert_array_equal(found.predict(data), UP)
            np.testing.assert_allclose(found.feature_importances_, [1, 0])
            np.testing.assert_array_equal(found.predict_proba(data).argmax(axis=1), UP)
        self.assertEqual(self.module.TreeClassifier().fit(NUMBERS, UP).model_.inputs, ["a", "b"])
        with self.assertRaisesRegex(ValueError, "3 features"):
            found.predict(np.zeros((2, 3)))

    def test_texts_and_categories(self):
        array = np.column_stack([X[:, 1].astype(object), COLOUR])
        for data in (MIXED, array, array.tolist()):
            for kind in ("Tree", "Forest", "Logistic", "Bayes", "Knn"):
                found = getattr(self.module, kind + "Classifier")().fit(data, UP)
                np.testing.assert_array_equal(found.predict(data), UP)
                self.assertEqual(found.predict(data).dtype, bool)
            numbers = self.module.LinearRegressor().fit(data, np.where(UP, 3.0, 1.0))
            np.testing.assert_allclose(numbers.predict(data), np.where(UP, 3.0, 1.0), atol=1e-9)
            self.assertEqual(len(numbers.coef_names_), len(numbers.coef_))
            self.assertEqual(len(self.module.KmeansClusterer(clusters=2).fit(data).labels_), 80)

    def test_coefficients_are_those_of_the_data(self):
        found = self.module.LinearRegressor()
        found.fit(NUMBERS, 2 * X[:, 0] - X[:, 1] + 1)
        np.testing.assert_allclose(found.coef_, [2, -1])
        np.testing.assert_allclose(found.intercept_, 1)
        three = np.where(X[:, 0] > 0.5, "u", np.where(X[:, 1] > 0, "v", "w"))
        for y in (UP, three):
            for kind in ("Logistic", "Discriminant", "LeastSquares"):
                found = getattr(self.module, kind + "Classifier")().fit(X, y)
                scores = X @ found.coef_.T + found.intercept_
                self.assertEqual(found.coef_.shape, (1 if y is UP else 3, 2))
                chosen = (scores[:, 0] > 0).astype(int) if y is UP else scores.argmax(axis=1)
                np.testing.assert_array_equal(found.classes_[chosen], found.predict(X))
        turned = self.module.ForestClassifier(trees=3, transforms=["pca"]).fit(X, UP)  # of other columns
        for estimator in (self.module.KnnClassifier().fit(X, UP), self.module.LinearRegressor(), turned):
            for name in ("coef_", "intercept_", "feature_importances_"):
                self.assertFalse(hasattr(estimator, name))

    def test_seed_and_threads_are_the_estimators_own(self):
        import cairn

        before = cairn._library.lib.cairn_context_seed(cairn._library.context().pointer)
        noisy = RNG.normal(size=80) > 0
        grow = lambda seed, jobs=None: self.module.ForestClassifier(trees=3, random_state=seed, n_jobs=jobs).fit(
            X, noisy).predict_proba(X)
        np.testing.assert_array_equal(grow(1), grow(1, 2))
        np.testing.assert_array_equal(grow(1), grow(1, -1))
        self.assertTrue((grow(1) != grow(2)).any())
        self.assertEqual(grow(np.random.RandomState(1)).shape, (80, 2))
        self.assertEqual(cairn._library.lib.cairn_context_seed(cairn._library.context().pointer), before)

    def test_transformers(self):
        scaled = self.module.StandardiseTransformer(divisor="n").fit(X)
        np.testing.assert_allclose(scaled.transform(X), (X - X.mean(0)) / X.std(0))
        self.assertEqual(list(scaled.get_feature_names_out()), ["x1", "x2"])
        self.assertEqual(list(scaled.get_feature_names_out(["p", "q"])), ["p", "q"])
        with self.assertRaisesRegex(ValueError, "length equal"):
            scaled.get_feature_names_out(["p"])
        shown = self.module.IndicatorsTransformer().fit(MIXED)
        names = list(shown.get_feature_names_out())
        self.assertEqual(sorted(names), ["a", "colour=blue", "colour=red"])
        np.testing.assert_array_equal(shown.transform(MIXED)[:, names.index("colour=red")], UP)
        kept = self.module.KeepTransformer(columns=["a", "colour"]).fit(MIXED).transform(MIXED)
        self.assertEqual(kept[0].tolist(), [X[0, 1], COLOUR[0]])
        both = self.module.RecipeTransformer(transforms=["standardise", "pca:1"]).fit(X)
        self.assertEqual(both.transform(X).shape, (80, 1))
        cut = self.module.DiscretiseTransformer().fit(X, UP)
        self.assertEqual(len(set(cut.transform(X)[:, 0][UP]) & set(cut.transform(X)[:, 0][~UP])), 0)
        with self.assertRaisesRegex(ValueError, "indicators"):
            self.module.BagTransformer().fit(Frame({"t": [f"word{i} more" for i in range(80)]}))
        self.assertGreater(len(self.module.transformers()), 30)


if __name__ == "__main__":
    OLD = "old" in sys.argv
    install(OLD)
    import cairn.sklearn

    Estimators.module = cairn.sklearn
    done = unittest.main(argv=sys.argv[:1], exit=False)
    other = 0 if OLD else subprocess.run([sys.executable, __file__, "old"]).returncode
    raise SystemExit(not done.result.wasSuccessful() or other)

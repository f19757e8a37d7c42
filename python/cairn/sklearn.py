# SPDX-License-Identifier: MIT
"""Estimators of scikit-learn, one for each learner and task, made of the registry.

`from cairn.sklearn import TreeClassifier` gives a class whose parameters are those of `cairn help
tree`, with _ for -; None means the learner's default. `estimators()` lists all of them."""
from __future__ import annotations

import contextlib
import difflib
import inspect
import keyword
from typing import Any, Iterator

import numpy as np

from ._errors import CairnError, UsageError
from ._labels import Levels
from ._library import context, lib
from ._model import Model, _chosen, _written, fit_recipe, fit_with
from ._registry import Entry, entries
from ._scikit import (ClassifierMixin, ClusterMixin, RegressorMixin, Tagged, TransformerMixin,
                      check_classification_targets, check_is_fitted, checked, checked_weights, is_mixed)
from ._table import Table

_CLASSIFY, _REGRESS, _CLUSTER = 1, 2, 4
_METHODS = ("fit", "predict", "score", "transform", "transforms", "random_state", "n_jobs")
_ROUNDS = ("rounds", "iterations", "epochs")
_INTERCEPT = "(intercept)"


def _seed(random_state: Any) -> int:
    """The seed that a random_state stands for."""
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**31))
    return int(random_state.randint(2**31 - 1)) if hasattr(random_state, "randint") else int(random_state)


def _threads(n_jobs: int) -> int:
    """0 is all there are; -1 too, as scikit-learn counts, and -2 all but one."""
    if n_jobs >= 0:
        return int(n_jobs)
    lib.cairn_context_set_threads(context().pointer, 0)
    return max(lib.cairn_context_threads(context().pointer) + 1 + int(n_jobs), 1)


class _Estimator(Tagged):
    """What all of them have in common."""

    _entry: Entry

    @property
    def _allow_nan(self) -> bool:  # type: ignore[override]
        return self._entry.takes_missing

    @contextlib.contextmanager
    def _as_told(self) -> Iterator[None]:
        """Seed and threads as `random_state` and `n_jobs` say, and then as before."""
        pointer = context().pointer
        before = lib.cairn_context_seed(pointer), lib.cairn_context_threads(pointer)
        try:
            if self.random_state is not None:
                lib.cairn_context_set_seed(pointer, _seed(self.random_state))
            if self.n_jobs is not None:
                lib.cairn_context_set_threads(pointer, _threads(self.n_jobs))
            yield
        finally:
            lib.cairn_context_set_seed(pointer, before[0])
            lib.cairn_context_set_threads(pointer, before[1])

    def _settings(self) -> dict[str, Any]:
        own = {_python_name(p.name): p.name for p in self._entry.parameters}
        return {own[name]: self._by_class(value) if isinstance(value, dict) else value
                for name, value in self.get_params(deep=False).items()
                if value is not None and name in own}

    def _by_class(self, value: dict[Any, Any]) -> list[Any]:
        """What is told of each class, in the order of the classes; 1 where nothing is."""
        return [value.get(label, 1) for label in self.classes_]

    def _rows_to_fit(self, X: Any, *y: Any, numeric: bool = False) -> Any:
        self._mixed = is_mixed(X)
        return checked(self, X, *y, reset=True, mixed=self._mixed, numeric=numeric)

    def _rows_to_ask(self, X: Any) -> Any:
        check_is_fitted(self, "model_")
        return checked(self, X, reset=False, mixed=self._mixed)

    def _names(self, X: Any) -> list[str] | None:
        """The names of the columns of an array, where the data had names when they were learned from."""
        known = getattr(self, "feature_names_in_", None)
        return None if known is None or not isinstance(X, np.ndarray) else [str(name) for name in known]


class _Learner(_Estimator):
    """What learners have in common."""

    _task: str

    def _count_rounds(self) -> None:
        """`n_iter_`, where the learner has a limit of rounds and tells how many it took."""
        if not hasattr(self, "max_iter"):
            return
        told = self.model_.describe().values
        rounds = [told[name] for name in _ROUNDS if name in told]
        if rounds:
            self.n_iter_ = max(int(rounds[0]), 1)

    def _learn(self, X: Any, y: Any, sample_weight: Any) -> None:
        try:
            with self._as_told():
                self.model_ = fit_with(
                    self._entry.name, self._settings(), X, y, names=self._names(X),
                    weights=checked_weights(X, sample_weight), task=self._task, with_=self.transforms or ())
        except CairnError as error:
            if X.shape[0] == 1:
                raise type(error)(f"{error} (n_samples = 1)") from error
            raise
        self._count_rounds()

    def _answers(self, X: Any, what: str) -> np.ndarray:
        X = self._rows_to_ask(X)
        if self._mixed:
            X = Table(X, self._names(X))
        with self._as_told():
            return self.model_._answers(X, what)

    @property
    def feature_importances_(self) -> np.ndarray:
        """How much each feature was of use, as shares of 1; of trees, forests and boosting."""
        found = _importances(self._fitted("feature_importances_"))
        if found is None:
            raise AttributeError(f"{self._entry.name} does not tell how important its features are")
        return found

    @property
    def coef_names_(self) -> np.ndarray:
        """What the coefficients belong to: the features, and the levels of those that have some."""
        return np.array(self._coefficients()[0], dtype=object)

    @property
    def coef_(self) -> np.ndarray:
        """The coefficients in the units of the data; of classifiers a row for each class (of two
        classes one, for the second), of regressors just one."""
        return self._coefficients()[1]

    @property
    def intercept_(self) -> Any:
        """The constant that is added, as many as there are rows of `coef_`."""
        return self._coefficients()[2]

    def _fitted(self, what: str) -> Model:
        if not hasattr(self, "model_"):
            raise AttributeError(f"{what} is there after fit")
        return self.model_

    def _coefficients(self) -> tuple[list[str], np.ndarray, Any]:
        model = self._fitted("coef_")
        if "coefficients" not in model.tables:
            raise AttributeError(f"{self._entry.name} has no coefficients")
        by_class = _by_class(model.tables["coefficients"])
        first = next(iter(by_class.values()))
        terms = _in_order([term for term in first if term != _INTERCEPT], model.inputs)
        rows = self._one_per_class(
            {name: np.array([found.get(term, 0.0) for term in [*terms, _INTERCEPT]])
             for name, found in by_class.items()})
        if self._task == "regress":
            return terms, rows[0, :-1], rows[0, -1]
        return terms, rows[:, :-1], rows[:, -1]

    def _one_per_class(self, rows: dict[Any, np.ndarray]) -> np.ndarray:
        return np.array(list(rows.values())[:1])


def _by_class(table: Table) -> dict[Any, dict[str, float]]:
    """Terms and their coefficients in the units of the data, class by class."""
    found: dict[Any, dict[str, float]] = {}
    raw = table["raw"] if not np.isnan(table["raw"]).all() else table["coefficient"]
    for name, term, value in zip(table["class"], table["term"], raw):
        found.setdefault(name, {})[term] = value
    return found


def _in_order(terms: list[str], inputs: list[str]) -> list[str]:
    """In the order of the features where each has a term of its own."""
    return inputs if sorted(terms) == sorted(inputs) else terms


def _importances(model: Model) -> np.ndarray | None:
    """Shares of the features, from the table or else the report of a model."""
    if "importance" in model.tables:
        table = model.tables["importance"]
        told = dict(zip(table["column"], table[1]))
    else:
        start = "importance."
        told = {name[len(start):].replace("\\.", "."): value
                for name, value in model.describe().values.items() if name.startswith(start)}
    if not set(told) & set(model.inputs):
        return None  # it tells nothing, or of columns that transforms made
    shares = np.array([max(float(told.get(name, 0)), 0) for name in model.inputs])
    return shares / shares.sum() if shares.sum() > 0 else shares


class _Classifier(ClassifierMixin, _Learner):
    _task = "classify"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from rows and their classes."""
        X, y = self._rows_to_fit(X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        levels = Levels(codes, self.classes_)
        self._learn(X, levels, sample_weight)
        self._places = [levels.categories.index(name) for name in self.model_.classes]
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row."""
        codes = self._answers(X, "codes")
        return _chosen(self.classes_[self._places], codes)

    def _one_per_class(self, rows: dict[Any, np.ndarray]) -> np.ndarray:
        """In the order of `classes_`; of two classes what speaks for the second."""
        place = {name: self._places[code] for code, name in enumerate(self.model_.classes)}
        found = np.zeros((len(self.classes_), len(next(iter(rows.values())))))
        for name, row in rows.items():
            found[place[name]] = row
        return found[1:] - found[:1] if len(found) == 2 else found


class _Scoring(_Classifier):
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class for each row."""
        scores = self._answers(X, "scores")
        found = np.zeros((len(scores), len(self.classes_)))
        found[:, self._places] = scores
        return found


class _Regressor(RegressorMixin, _Learner):
    _task = "regress"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from rows and their numbers."""
        X, y = self._rows_to_fit(X, y, numeric=True)
        self._learn(X, np.asarray(y, dtype=np.float64), sample_weight)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The number of each row."""
        return self._answers(X, "numbers")


class _Clusterer(ClusterMixin, _Learner):
    _task = "cluster"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Find clusters of rows; `y` is not looked at."""
        X = self._rows_to_fit(X)
        self._learn(X, None, sample_weight)
        self.labels_ = self._labels(X)
        return self

    def _labels(self, X: Any) -> np.ndarray:
        """The clusters of the rows that were learned from, as learning left them where it says so."""
        if "labels" in self.model_.tables:
            found = self.model_.tables["labels"]["cluster"]
            return np.where(np.isnan(found), 0, found).astype(np.int64) - 1
        return self.model_._by_table(X, "codes")


class _Predicting(_Clusterer):
    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each row, from 0; -1 = none."""
        return self._answers(X, "codes")


class _Transformer(TransformerMixin, _Estimator):
    """A transform of the library, or several in a row, that are fitted and then applied."""

    @property
    def _allow_nan(self) -> bool:  # type: ignore[override]
        return True

    def _specs(self) -> list[str]:
        given = ",".join(f"{name}={_grouped(_written(value))}" for name, value in self._settings().items())
        return [f"{self._entry.name}:{given}" if given else self._entry.name]

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn what the transform has to know of rows; some look at `y`."""
        X = self._rows_to_fit(X)
        with self._as_told():
            self.model_ = fit_recipe(self._specs(), X, None if y is None else np.asarray(y), names=self._names(X))
        self._made = self._features(self.model_.apply(Table(X, self._names(X))))
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The rows as the transform makes them: floats, or objects where texts are among them."""
        X = self._rows_to_ask(X)
        with self._as_told():
            made = self.model_.apply(Table(X, self._names(X)))
        columns = [made[name] for name in self._features(made)]
        numeric = all(column.dtype.kind == "f" for column in columns)
        found: np.ndarray = np.empty((X.shape[0], len(columns)), dtype=float if numeric else object)
        for j, column in enumerate(columns):
            found[:, j] = column
        return found

    def _features(self, made: Table) -> list[str]:
        bags = [name for name in made.columns if made.kind(name) in ("bag", "sequence", "series")]
        if bags:
            raise UsageError(f"column '{bags[0]}' holds a {made.kind(bags[0])} in each row, which has no place in an "
                             f"array; RecipeTransformer(transforms=[..., 'indicators']) makes numbers of bags")
        return made.columns

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The names of the columns that `transform` makes."""
        check_is_fitted(self, "model_")
        if input_features is None:
            return np.array(self._made, dtype=object)
        known = getattr(self, "feature_names_in_", None)
        if known is not None and list(known) != list(input_features):
            raise ValueError("input_features is not equal to feature_names_in_")
        if len(input_features) != self.n_features_in_:
            raise ValueError("input_features should have length equal to number of features "
                             f"({self.n_features_in_}), got {len(input_features)}")
        same = self._made == self.model_.inputs
        return np.array(list(input_features) if same else self._made, dtype=object)


class RecipeTransformer(_Transformer):
    """Several transforms in a row: RecipeTransformer(transforms=["impute", "pca:2"]).

    Parameters
    ----------
    transforms : list of str
        the transforms in order, as on the command line
    random_state : int, RandomState or None
        where random numbers begin
    n_jobs : int or None
        how many threads; -1 = all
    """

    def __init__(self, *, transforms: Any = (), random_state: Any = None, n_jobs: Any = None) -> None:
        self.transforms, self.random_state, self.n_jobs = transforms, random_state, n_jobs

    def _specs(self) -> list[str]:
        return list(self.transforms)


def _grouped(value: str) -> str:
    """A value in which commas are its own."""
    return f"({value})" if "," in value else value


def _bases(entry: Entry) -> list[tuple[str, type]]:
    """The classes that a learner gives, with the ends of their names."""
    found: list[tuple[str, type]] = []
    if entry.tasks & _CLASSIFY and entry.predicts:
        found.append(("Classifier", _Scoring if entry.gives_probabilities else _Classifier))
    if entry.tasks & _REGRESS and entry.predicts:
        found.append(("Regressor", _Regressor))
    if entry.tasks & _CLUSTER:
        found.append(("Clusterer", _Predicting if entry.predicts else _Clusterer))
    return found


def _python_name(name: str) -> str:
    name = name.replace("-", "_")
    taken = keyword.iskeyword(name) or name in _METHODS
    return name + "_option" if taken else name  # a last _ alone would mean: learned


def _initialiser(entry: Entry) -> Any:
    """An __init__ with a parameter for each of the entry's, which only keeps what it is given."""
    names = [_python_name(p.name) for p in entry.parameters]
    names += ["random_state", "n_jobs"] if entry.kind == "transform" else ["transforms", "random_state", "n_jobs"]

    def __init__(self: Any, **given: Any) -> None:
        unknown = set(given) - set(names)
        if unknown:
            raise TypeError(f"{entry.name} has no parameter '{sorted(unknown)[0]}'")
        for name in names:
            setattr(self, name, given.get(name))

    __init__.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in names])
    return __init__


def _documentation(entry: Entry) -> str:
    lines = [f"{entry.title}.", "", entry.summary, "", "Parameters", "----------"]
    for p in entry.parameters:
        default = f", default {p.default}" if p.default is not None else ""
        choices = f" ({', '.join(p.choices)})" if p.choices else ""
        lines += [f"{_python_name(p.name)} : {p.type}{default}", f"    {p.help}{choices}"]
    if entry.kind == "learner":
        lines += ["transforms : list of str", "    what is put in front of the learner, such as standardise"]
    lines += ["random_state : int, RandomState or None", "    where random numbers begin; None = cairn.set_seed",
              "n_jobs : int or None", "    how many threads; -1 = all, None = cairn.set_threads"]
    return "\n".join(lines)


def _unweighted(base: type) -> Any:
    """`fit` of a learner that cannot use weights: it asks for none."""

    def fit(self: Any, X: Any, y: Any = None) -> Any:
        return base.fit(self, X, y)  # type: ignore[attr-defined]

    fit.__doc__ = base.fit.__doc__  # type: ignore[attr-defined]
    return fit


def _class_name(entry: Entry, ending: str) -> str:
    words = "".join(part.capitalize() for part in entry.name.split("-"))
    return words if words.endswith(ending) else words + ending


def _made_of(entry: Entry, ending: str, base: type) -> type:
    parts: dict[str, Any] = {
        "__init__": _initialiser(entry), "__doc__": _documentation(entry), "_entry": entry, "__module__": __name__}
    if entry.kind == "learner" and not entry.takes_weights:
        parts["fit"] = _unweighted(base)
    return type(_class_name(entry, ending), (base,), parts)


_MADE = {kind.__name__: kind for kind in (
    _made_of(entry, ending, base) for entry in entries("learner") for ending, base in _bases(entry))}
_TRANSFORMERS = {kind.__name__: kind for kind in (
    _made_of(entry, "Transformer", _Transformer) for entry in entries("transform"))}
globals().update(_MADE)
globals().update(_TRANSFORMERS)
__all__ = [*_MADE, *_TRANSFORMERS, "CairnError", "RecipeTransformer", "estimators", "transformers"]


def __getattr__(name: str) -> Any:  # for type checkers too: the classes are made of the registry
    kinds = [*_MADE, *_TRANSFORMERS]
    near = [kind for kind in kinds if kind in name or name in kind] or difflib.get_close_matches(name, kinds)
    meant = f"; did you mean {' or '.join(near[:3])}?" if near else ";"
    said = f"cairn.sklearn has no {name!r}{meant} estimators() and transformers() list what there is"
    # of an AttributeError 'from cairn.sklearn import NAME' would drop the words
    estimator = name.endswith(("Classifier", "Regressor", "Clusterer", "Transformer"))
    raise (ImportError if estimator else AttributeError)(said)


def estimators() -> dict[str, type]:
    """All estimators by name."""
    return dict(_MADE)


def transformers() -> dict[str, type]:
    """All transformers of one transform by name; RecipeTransformer takes several in a row."""
    return dict(_TRANSFORMERS)

# SPDX-License-Identifier: MIT
"""Estimators of scikit-learn, one for each learner and task, made of the registry.

`from cairn.sklearn import TreeClassifier` gives a class whose parameters are those of `cairn help
tree`, with _ for -; None means the learner's default. `estimators()` lists all of them."""
from __future__ import annotations

import inspect
import keyword
from typing import Any

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, RegressorMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted
except ImportError as missing:
    raise ImportError("cairn.sklearn needs scikit-learn; 'import cairn' works without it",
                      name=missing.name) from missing

from ._errors import CairnError
from ._model import fit_with
from ._registry import Entry, entries

_CLASSIFY, _REGRESS, _CLUSTER = 1, 2, 4
_METHODS = ("fit", "predict", "score", "transforms")
_ROUNDS = ("rounds", "iterations", "epochs")


class _Estimator(BaseEstimator):
    """What all of them have in common."""

    _entry: Entry
    _task: str

    def _settings(self) -> dict[str, Any]:
        own = {_python_name(p.name): p.name for p in self._entry.parameters}
        return {own[name]: self._by_class(value) if isinstance(value, dict) else value
                for name, value in self.get_params(deep=False).items()
                if value is not None and name in own}

    def _by_class(self, value: dict[Any, Any]) -> list[Any]:
        """What is told of each class, in the order of the classes; 1 where nothing is."""
        return [value.get(label, 1) for label in self.classes_]

    def _count_rounds(self) -> None:
        """`n_iter_`, where the learner has a limit of rounds and tells how many it took."""
        if not hasattr(self, "max_iter"):
            return
        told = self.model_.describe().values
        rounds = [told[name] for name in _ROUNDS if name in told]
        if rounds:
            self.n_iter_ = max(int(rounds[0]), 1)

    def _learn(self, X: np.ndarray, y: Any, sample_weight: Any) -> None:
        try:
            self.model_ = fit_with(self._entry.name, self._settings(), X, y, weights=sample_weight,
                                   task=self._task, with_=self.transforms or ())
        except CairnError as error:
            if len(X) == 1:
                raise type(error)(f"{error} (n_samples = 1)") from error
            raise
        self._count_rounds()

    def _answers(self, X: Any, what: str) -> np.ndarray:
        check_is_fitted(self, "model_")
        rows = self._validate_data(X, reset=False, dtype=[np.float64, np.float32], **self._finite())
        return self.model_._answers(rows, what)

    def _finite(self) -> dict[str, Any]:
        return {"force_all_finite": "allow-nan" if self._entry.takes_missing else True}

    def _weights(self, X: np.ndarray, sample_weight: Any) -> Any:
        if sample_weight is None:
            return None
        return _check_sample_weight(sample_weight, X, dtype=np.float64)

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": self._entry.takes_missing}


class _Classifier(ClassifierMixin, _Estimator):
    _task = "classify"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from rows and their classes."""
        X, y = self._validate_data(X, y, dtype=[np.float64, np.float32], **self._finite())
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        names = [f"class {i:0{len(str(len(self.classes_)))}d}" for i in range(len(self.classes_))]
        words = np.array(names, dtype=object)[codes]
        self._learn(X, words, self._weights(X, sample_weight))
        self._places = [names.index(name) for name in self.model_.classes]
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row."""
        codes = self._answers(X, "codes")
        return self.classes_[np.array(self._places)[codes]]


class _Scoring(_Classifier):
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class for each row."""
        scores = self._answers(X, "scores")
        found = np.zeros((len(scores), len(self.classes_)))
        found[:, self._places] = scores
        return found


class _Regressor(RegressorMixin, _Estimator):
    _task = "regress"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from rows and their numbers."""
        X, y = self._validate_data(X, y, dtype=[np.float64, np.float32], y_numeric=True, **self._finite())
        self._learn(X, np.asarray(y, dtype=np.float64), self._weights(X, sample_weight))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The number of each row."""
        return self._answers(X, "numbers")


class _Clusterer(ClusterMixin, _Estimator):
    _task = "cluster"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Find clusters of rows; `y` is not looked at."""
        X = self._validate_data(X, dtype=[np.float64, np.float32], **self._finite())
        self._learn(X, None, self._weights(X, sample_weight))
        self.labels_ = self._labels(X)
        return self


    def _labels(self, X: np.ndarray) -> np.ndarray:
        """The clusters of the rows that were learned from, as learning left them where it says so."""
        if "labels" in self.model_.tables:
            found = self.model_.tables["labels"]["cluster"]
            return np.where(np.isnan(found), 0, found).astype(np.int64) - 1
        return self.model_._by_table(X, "codes")


class _Predicting(_Clusterer):
    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each row, from 0; -1 = none."""
        return self._answers(X, "codes")


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
    """An __init__ with a parameter for each of the learner's, which only keeps what it is given."""
    names = [_python_name(p.name) for p in entry.parameters] + ["transforms"]

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
    lines += ["transforms : list of str", "    what is put in front of the learner, such as standardise"]
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


def _make() -> dict[str, type]:
    made: dict[str, type] = {}
    for entry in entries("learner"):
        for ending, base in _bases(entry):
            parts: dict[str, Any] = {
                "__init__": _initialiser(entry), "__doc__": _documentation(entry), "_entry": entry,
                "__module__": __name__}
            if not entry.takes_weights:
                parts["fit"] = _unweighted(base)
            name = _class_name(entry, ending)
            made[name] = type(name, (base,), parts)
    return made


_MADE = _make()
globals().update(_MADE)
__all__ = [*_MADE, "estimators", "CairnError"]


def estimators() -> dict[str, type]:
    """All estimators by name."""
    return dict(_MADE)

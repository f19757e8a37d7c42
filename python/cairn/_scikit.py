# SPDX-License-Identifier: MIT
"""What scikit-learn offers estimators, from 1.2 to 1.8, by what is there.

1.6 made functions of methods (`validate_data`), renamed `force_all_finite` and brought tags as
objects; 1.7 took the old methods away, 1.8 the old name."""
from __future__ import annotations

import inspect
import numbers
from typing import Any

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, RegressorMixin, TransformerMixin
    from sklearn.utils import validation
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, column_or_1d
except ImportError as missing:
    raise ImportError("cairn.sklearn needs scikit-learn; 'import cairn' works without it",
                      name=missing.name) from missing

__all__ = ["BaseEstimator", "ClassifierMixin", "ClusterMixin", "RegressorMixin", "Tagged", "TransformerMixin",
           "check_classification_targets", "check_is_fitted", "checked", "checked_weights", "is_mixed"]

_FINITE = ("ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters
           else "force_all_finite")


class Tagged(BaseEstimator):
    """Says that missing cells (where `_allow_nan`) and texts are taken. The tag of categories stays
    off: it means features that are whole numbers."""

    _allow_nan = False

    if hasattr(BaseEstimator, "__sklearn_tags__"):

        def __sklearn_tags__(self) -> Any:
            tags = super().__sklearn_tags__()
            tags.input_tags.allow_nan = self._allow_nan
            tags.input_tags.string = True
            return tags
    else:

        def _more_tags(self) -> dict[str, Any]:
            return {"allow_nan": self._allow_nan, "X_types": ["2darray", "string"]}


def is_mixed(X: Any) -> bool:
    """Whether data hold something else than numbers: texts, categories, times."""
    if hasattr(X, "iloc") and hasattr(X, "dtypes"):
        return any(_is_odd(X.iloc[:, j]) for j in range(X.shape[1]))
    if isinstance(X, (list, tuple)) and X and isinstance(X[0], (list, tuple)):
        return any(isinstance(cell, str) for cell in X[0])
    return isinstance(X, np.ndarray) and X.ndim == 2 and _is_odd(X)


def _is_odd(values: Any) -> bool:
    """Of objects and what pandas adds to the kinds of numpy, the cells decide."""
    kind = getattr(values.dtype, "kind", "O")
    if hasattr(values.dtype, "categories") or kind in "MUS":
        return True
    return kind == "O" and any(isinstance(cell, str) for cell in np.asarray(values, dtype=object).flat)


def checked(estimator: Any, X: Any, *y: Any, reset: bool, mixed: bool, numeric: bool = False) -> Any:
    """X, or X and y, found to be rows that an estimator can look at, with its names and their number.

    Numbers become an array of floats; where texts are among them (`mixed`) the data stay as they
    are."""
    if mixed:
        return _checked_mixed(estimator, X, *y, reset=reset, numeric=numeric)
    how = {"dtype": [np.float64, np.float32], _FINITE: "allow-nan" if estimator._allow_nan else True}
    if y:
        how["y_numeric"] = numeric
    return _validate(estimator, X, *y, reset=reset, **how)


def _validate(estimator: Any, X: Any, *y: Any, **how: Any) -> Any:
    if hasattr(validation, "validate_data"):
        return validation.validate_data(estimator, X, *y, **how)
    return estimator._validate_data(X, *y, **how)


def _checked_mixed(estimator: Any, X: Any, *y: Any, reset: bool, numeric: bool) -> Any:
    if not hasattr(X, "iloc"):
        X = check_array(np.asarray(X, dtype=object), dtype=None, **{_FINITE: False})
    if not X.shape[0]:
        raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
    if hasattr(validation, "validate_data"):
        validation.validate_data(estimator, X, reset=reset, skip_check_array=True)
    else:
        estimator._check_feature_names(X, reset=reset)
        estimator._check_n_features(X, reset=reset)
    if not y:
        return X
    if y[0] is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    labels = column_or_1d(y[0], warn=True)
    if numeric:
        labels = check_array(labels, ensure_2d=False, dtype=np.float64)
    check_consistent_length(X, labels)
    return X, labels


def checked_weights(X: Any, weights: Any) -> np.ndarray | None:
    """One weight for each row; None = not given."""
    if weights is None:
        return None
    n = X.shape[0]
    if isinstance(weights, numbers.Real):
        return np.full(n, float(weights))
    found = check_array(weights, ensure_2d=False, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(found) != n:
        raise ValueError(f"sample_weight.shape == {found.shape}, expected {(n,)}!")
    return found

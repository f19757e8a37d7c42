# SPDX-License-Identifier: MIT
"""Classes as Python had them: the library knows their names, and the model's file keeps a word that
says what they were."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

CATEGORY, ORDERED = "category", "ordered category"


class Levels:
    """Labels as levels in the order of `classes`, whatever they are."""

    ordered = False

    def __init__(self, codes: np.ndarray, classes: np.ndarray) -> None:
        self.codes, self.classes = codes, classes
        self.categories = [name_of(label) for label in classes.tolist()]

    def __len__(self) -> int:
        return len(self.codes)


def name_of(label: Any) -> str:
    """What a level is called: whole numbers as such, all else as it is written."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def type_of(values: Any) -> str | None:
    """The word for the type of labels: "bool", "int64", "category of int64"; None = texts."""
    if isinstance(values, Levels):
        return type_of(values.classes)
    held = getattr(values, "cat", values)
    if hasattr(held, "categories"):
        kind = ORDERED if held.ordered else CATEGORY
        inner = type_of(np.asarray(held.categories))
        return f"{kind} of {inner}" if inner else kind
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        return array.dtype.name
    return _type_of_objects(array) if array.dtype.kind == "O" else None


def _type_of_objects(array: np.ndarray) -> str | None:
    """Of cells among which some may be missing, as pandas has them."""
    known = [v for v in array.ravel().tolist() if v is not None and v == v and type(v).__name__ != "NAType"]
    if known and all(isinstance(v, (bool, np.bool_)) for v in known):
        return "bool"
    if known and all(isinstance(v, (int, np.integer)) for v in known):
        return "int64"
    if known and all(isinstance(v, (int, float, np.number)) for v in known):
        return "float64"
    return None


def labels_of(word: str | None, names: Sequence[str]) -> Any:
    """The labels of these names: an array, or a Categorical of pandas in their order."""
    kind, _, inner = (word or "").partition(" of ")
    if kind not in (CATEGORY, ORDERED):
        return _plain(word, names)
    plain = _plain(inner or None, names)
    try:
        from pandas import Categorical
    except ImportError:
        return plain
    return Categorical.from_codes(range(len(names)), categories=plain, ordered=kind == ORDERED)


def _plain(word: str | None, names: Sequence[str]) -> np.ndarray:
    """Labels as an array; their names where the word says nothing, or another program's."""
    texts = np.array(list(names), dtype=object)
    try:
        if word == "bool":
            return np.array([name == "True" or (name != "False" and float(name) != 0) for name in names], bool)
        if word == "number":
            numbers = np.array([float(name) for name in names])
            return numbers.astype(np.int64) if (numbers == np.floor(numbers)).all() else numbers
        return texts if word is None else np.array([float(name) for name in names]).astype(np.dtype(word))
    except (TypeError, ValueError):
        return texts

# SPDX-License-Identifier: MIT
"""Answers for single rows: the predictor of the library, without a table."""
from __future__ import annotations

import datetime
import threading
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from ._errors import UsageError
from ._errors import of as failure
from ._labels import name_of
from ._library import context, ffi, lib, options, owned, string, strings, text
from ._table import _is_missing

if TYPE_CHECKING:
    from ._model import Model

_MISSING = float("nan")


class Predictor:
    """A model prepared to answer rows of `columns`; threads that share one take turns.

    A row is a sequence in the order of `columns`, or a mapping by name in which columns that are
    not there are missing."""

    def __init__(self, model: Model, columns: Sequence[str] | None = None, *, exact: bool = False,
                 ignore_unknown: bool = False, missing_columns: bool = False) -> None:
        how, made = options("cairn_predictor_options"), ffi.new("cairn_predictor **")
        how.blank_missing, how.exact = True, exact
        how.ignore_unknown, how.missing_columns = ignore_unknown, missing_columns
        listed, _kept = strings(columns, end=False) if columns is not None else (ffi.NULL, None)
        context().call(
            lib.cairn_predictor_new_with, made, model._open(), listed, len(columns or ()), how)
        self._pointer = owned(made[0], lib.cairn_predictor_free)
        self._model, self._local = model, model._local  # it reads the model, as this is now
        self._regress = model.task == "regress"
        self._labels = None if model.task in ("regress", "cluster") else model.labels
        self._lock = threading.Lock()
        self._answer = ffi.new("cairn_answer *")
        self._read_columns()

    def _read_columns(self) -> None:
        n = lib.cairn_predictor_columns(self._pointer)
        kinds = [lib.cairn_predictor_kind(self._pointer, i) for i in range(n)]
        self.columns: list[str] = [text(lib.cairn_predictor_column(self._pointer, i)) or "" for i in range(n)]
        self._levels: list[dict[Any, float] | None] = [{} if k == lib.CAIRN_LEVEL else None for k in kinds]
        inputs = self._model.inputs
        self._unknown = {i for i, name in enumerate(self.columns)
                         if name not in inputs and name.partition("=")[0] not in inputs}
        self._plain = not self._unknown and all(kind == lib.CAIRN_NUMBER for kind in kinds)
        self._is_numeric = all(k in (lib.CAIRN_NUMBER, lib.CAIRN_LEVEL, lib.CAIRN_TIME) for k in kinds)
        self._row = ffi.new("double[]", max(n, 1))

    def predict(self, row: Sequence[Any] | Mapping[str, Any]) -> Any:
        """The answer to a row: a number, a class, or the number of a cluster; None = no answer."""
        with self._lock:
            self._ask(row, ffi.NULL)
            number, code = self._answer.number, self._answer.code
        if self._regress:
            return number
        if self._labels is None:
            return code
        return None if code < 0 else self._labels[code]

    __call__ = predict

    def predict_proba(self, row: Sequence[Any] | Mapping[str, Any]) -> np.ndarray:
        """A score for each class, in the order of the model's `labels`."""
        k = lib.cairn_predictor_scores(self._pointer)
        if not k:
            raise UsageError(f"{self._model.learner} gives no scores")
        scores = np.empty(k)
        with self._lock:
            self._ask(row, ffi.cast("double *", scores.ctypes.data))
        return scores

    def _ask(self, row: Any, scores: Any) -> None:
        if self._model._local is not self._local:
            raise UsageError("the model was updated or closed; ask it for another predictor")
        cells = [row.get(name) for name in self.columns] if isinstance(row, Mapping) else row
        if len(cells) != len(self.columns):
            raise UsageError(f"a row of {len(cells)} cells where the model has {len(self.columns)} columns: "
                             f"{', '.join(self.columns)}")
        if self._is_numeric:
            self._fill(cells)
            status = lib.cairn_predictor_row(self._pointer, self._row, self._answer, scores)
        else:
            made, _kept = self._cells(cells)
            status = lib.cairn_predictor_cells(self._pointer, made, self._answer, scores)
        if status:
            raise failure(status, text(lib.cairn_predictor_message(self._pointer)) or "")

    def _fill(self, cells: Sequence[Any]) -> None:
        """The row as numbers: plain ones at once, others one by one."""
        if self._plain:
            try:
                self._row[0:len(cells)] = cells
                return
            except TypeError:
                pass  # something is missing, or a text
        for i, cell in enumerate(cells):
            self._row[i] = self._number(i, cell)

    def _number(self, i: int, cell: Any) -> float:
        codes = self._levels[i]
        if _is_missing(cell) or i in self._unknown:
            return _MISSING
        if codes is not None:
            return self._code(i, codes, cell)
        if isinstance(cell, (datetime.date, np.datetime64)):
            return float(np.datetime64(cell, "us").astype(np.int64)) / 1e6
        try:
            return float(cell)
        except (TypeError, ValueError):
            raise UsageError(f"column '{self.columns[i]}': {cell!r} is no number") from None

    def _code(self, i: int, codes: dict[Any, float], cell: Any) -> float:
        """The code of a level; those that were asked for are kept."""
        found = codes.get(cell)
        if found is None:
            name = name_of(cell).encode()
            code = lib.cairn_predictor_code(self._pointer, i, name, len(name))
            found = _MISSING if code < 0 else float(code)
            if len(codes) < 10000:
                codes[cell] = found
        return found

    def _cells(self, cells: Sequence[Any]) -> tuple[Any, list[Any]]:
        """The row as cells of any kind, and what keeps their texts alive."""
        made, kept = ffi.new("cairn_cell[]", len(cells)), []
        for i, cell in enumerate(cells):
            if _is_missing(cell) or i in self._unknown:
                made[i].kind = lib.CAIRN_CELL_MISSING
            elif isinstance(cell, str):
                kept.append(string(cell))
                made[i].kind, made[i].text = lib.CAIRN_CELL_TEXT, kept[-1]
                made[i].length = len(cell.encode())
            else:
                made[i].kind, made[i].number = lib.CAIRN_CELL_NUMBER, self._number(i, cell)
                if self._levels[i] is not None:
                    made[i].kind, made[i].code = lib.CAIRN_CELL_CODE, _code_of(made[i].number)
        return made, kept

    def __repr__(self) -> str:
        return f"<cairn.Predictor of {self._model.learner}: {', '.join(self.columns[:8])}>"


def _code_of(number: float) -> int:
    return -1 if number != number else int(number)

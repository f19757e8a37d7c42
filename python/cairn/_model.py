# SPDX-License-Identifier: MIT
"""Models: fitted, asked, described, saved."""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from . import _elsewhere
from ._errors import UsageError
from ._errors import of as failure
from ._library import context, ffi, lib, options, owned, string, strings, taken, text
from ._labels import labels_of, type_of
from ._predictor import Predictor
from ._registry import entries
from ._report import Report
from ._table import Table, _address, _matrix

_TASKS = {None: 0, "classify": 1, "regress": 2, "cluster": 4, "label": 8}
TARGET = "y"


def spec(learner: str, parameters: Mapping[str, Any]) -> Any:
    """Settings of a learner: "tree:max-depth=3", or "tree" with max_depth=3."""
    made = ffi.new("cairn_params **")
    context().call(lib.cairn_params_new, made, string(learner))
    params = owned(made[0], lib.cairn_params_free)
    for name, value in parameters.items():
        if value is None:
            continue
        context().call(
            lib.cairn_params_set, params, string(name.replace("_", "-")), string(_written(value)))
    return params


def _written(value: Any) -> str:
    """A value as the command line takes it."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_written(v) for v in value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def _table_for(data: Any, y: Any, weights: Any, names: Sequence[str] | None) -> Table:
    """The table to learn from: data with the column or the name of what is predicted."""
    _refuse_second_learner(data, y)
    table = Table(data, names)
    if isinstance(y, str):
        table = table.with_roles(target=y)
    elif isinstance(y, (list, tuple)) and y and all(isinstance(v, str) and v in table.columns for v in y):
        table = table.with_roles(target=y)
    elif y is not None:
        table = table.with_column(_free_name(table, getattr(y, "name", None) or TARGET), y, "target")
    if isinstance(weights, str):
        table = table.with_roles(weight=weights)
    elif weights is not None:
        table = table.with_column(_free_name(table, "weight"), weights, "weight")
    return table


_ROLE_NAMES = {"target": "target", "id": "id", "ignore": "ignored", "group": "group", "weight": "weight"}


def _told_roles(learner: str, data: Any, y: Any, parameters: Mapping[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Data in which columns have the roles that are told beside the learner's own parameters."""
    rest = dict(parameters)
    name = learner.split(":")[0]
    own = {p.name for e in entries("learner") if e.name == name for p in e.parameters}
    roles = {role: rest.pop(role) for role in _ROLE_NAMES if role in rest and role not in own}
    if "target" in roles:
        y = roles.pop("target") if y is None else y
    if roles:
        data = Table(data).with_roles(**{_ROLE_NAMES[role]: columns for role, columns in roles.items()})
    return data, y, rest


def _refuse_second_learner(data: Any, y: Any) -> None:
    """fit("tree", "forest", frame): what stands where the data should is no file."""
    if isinstance(data, str) and (hasattr(y, "columns") or getattr(y, "ndim", 1) == 2):
        raise UsageError(
            f"{data!r} stands where the data should, and the data where the target should; "
            f'several learners are compared by compare(["tree", {data!r}], data, y)')


def _target_values(data: Any, y: Any, columns: Sequence[str]) -> Any:
    """What is predicted as it lies in Python (of several columns the first); None where only the
    library has it."""
    names = [y] if isinstance(y, str) else y
    if not isinstance(names, (list, tuple)) or not names or not all(
            isinstance(name, str) and name in columns for name in names):
        return y
    if isinstance(data, (Table, str, np.ndarray, list, tuple)) or not hasattr(data, "__getitem__"):
        return None
    return data[names[0]]


def keep_type(model: Model, data: Any, y: Any, columns: Sequence[str]) -> Model:
    """Tell a classifier what its classes were, so that it answers with such; its file keeps it."""
    values = _target_values(data, y, columns) if model.task == "classify" else None
    if values is not None:
        word = type_of(values)
        context().call(lib.cairn_model_set_class_type, model._open(), string(word))
    return model


def _free_name(table: Table, name: str) -> str:
    taken_names = set(table.columns)
    while name in taken_names:
        name += "_"
    return name


class Model:
    """A fitted model. Make one by `cairn.fit` or `cairn.load`."""

    def __init__(self, pointer: Any) -> None:
        self._pointer = owned(pointer, lib.cairn_model_free)
        self._local = threading.local()

    if not TYPE_CHECKING:  # for a checker a name that is not there stays one

        def __getattr__(self, name: str) -> Any:
            raise _elsewhere.refuse("a model", name, _elsewhere.MODEL)

    # -- what it is --

    @property
    def learner(self) -> str | None:
        """The name of the learner; None of a recipe."""
        return text(lib.cairn_model_learner(self._open()))

    @property
    def task(self) -> str | None:
        """"classify", "regress", "cluster" or "label"."""
        return {code: name for name, code in _TASKS.items()}.get(lib.cairn_model_task(self._open()))

    @property
    def classes(self) -> list[str]:
        """The names of the classes, in the order of the scores."""
        model = self._open()
        return [text(lib.cairn_model_class(model, i)) or "" for i in range(lib.cairn_model_class_count(model))]

    @property
    def labels(self) -> Any:
        """The classes as the data had them: numbers, truth values, categories, or their names."""
        return labels_of(text(lib.cairn_model_class_type(self._open())), self.classes)

    @property
    def inputs(self) -> list[str]:
        """The columns that the model is asked about."""
        info, found = options("cairn_input_info"), []
        for i in range(lib.cairn_model_input_count(self._open())):
            lib.cairn_model_input(self._open(), i, info)
            found.append(text(info.name) or "")
        return found

    @property
    def tables(self) -> Mapping[str, Table]:
        """What it learned: coefficients, nodes, rules, centres, classes, columns, parameters ..."""
        return _Tables(self)

    def parameter(self, name: str) -> str | None:
        """The value of a parameter of the learner, as text."""
        return text(lib.cairn_model_param(self._open(), name.replace("_", "-").encode()))

    def describe(self) -> Report:
        """What the model is, as a report."""
        report = Report()
        context().work(lib.cairn_model_describe, report._pointer, self._open())
        return report

    # -- answers --

    def predict(self, data: Any) -> np.ndarray:
        """An answer for each row: a number, a class, or the number of a cluster from 0 (-1 = none).

        Classes are of the type that they had in the data: whole numbers, truth values, categories
        of pandas, or texts; None = no answer."""
        if lib.cairn_model_task(self._open()) == lib.CAIRN_REGRESS:
            return self._answers(data, "numbers")
        codes = self._answers(data, "codes")
        if lib.cairn_model_task(self._open()) == lib.CAIRN_CLUSTER:
            return codes
        return _chosen(self.labels, codes)

    def predict_proba(self, data: Any) -> np.ndarray:
        """A score for each row and class, in the order of `classes`."""
        return self._answers(data, "scores")

    def predict_table(self, data: Any, scores: bool = True, extra: bool = True) -> Table:
        """The answers as a table, with everything that the learner gives beside them."""
        how, made = options("cairn_predict_options"), ffi.new("cairn_table **")
        how.answer, how.scores, how.extra = True, scores, extra
        context().work(lib.cairn_model_predict_with, made, self._open(), Table(data)._pointer, how)
        return Table._wrap(made[0])

    def _answers(self, data: Any, what: str) -> np.ndarray:
        array = data if isinstance(data, np.ndarray) else None
        if array is not None and array.ndim == 2 and array.dtype.kind in "fiub":
            predictor = self._predictor()
            if predictor is not None and lib.cairn_predictor_columns(predictor) == array.shape[1]:
                return self._rows(predictor, array, what)
        return self._by_table(data, what)

    def _predictor(self) -> Any:
        """The predictor of this thread; None where the model has none for rows of numbers."""
        if not hasattr(self._local, "predictor"):
            how, made = options("cairn_predictor_options"), ffi.new("cairn_predictor **")
            how.blank_missing = True
            status = lib.cairn_predictor_new_with(
                context().pointer, made, self._open(), ffi.NULL, 0, how)
            self._local.predictor = None if status else owned(made[0], lib.cairn_predictor_free)
            if not status and any(
                lib.cairn_predictor_kind(made[0], i) != lib.CAIRN_NUMBER
                for i in range(lib.cairn_predictor_columns(made[0]))
            ):
                self._local.predictor = None
        return self._local.predictor

    def _rows(self, predictor: Any, array: np.ndarray, what: str) -> np.ndarray:
        """Rows of a matrix, read where they lie."""
        if array.dtype not in (np.float64, np.float32):
            array = array.astype(np.float64)
        n, k = len(array), lib.cairn_predictor_scores(predictor)
        codes = np.empty(n if what == "codes" else 0, dtype=np.int32)
        numbers = np.empty(n if what == "numbers" else 0)
        scores = np.empty((n if what == "scores" else 0, k))
        if what == "scores" and not k:
            raise UsageError(f"{self.learner} gives no scores")
        status = lib.cairn_predictor_rows(
            predictor, _matrix(array),
            _address(codes, "int32_t *") if what == "codes" else ffi.NULL,
            _address(numbers, "double *") if what == "numbers" else ffi.NULL,
            _address(scores, "double *") if what == "scores" else ffi.NULL,
        )
        if status:
            raise failure(status, text(lib.cairn_predictor_message(predictor)) or "")
        found: dict[str, np.ndarray] = {"codes": codes, "numbers": numbers, "scores": scores}
        return found[what]

    def _by_table(self, data: Any, what: str) -> np.ndarray:
        if isinstance(data, np.ndarray) and data.ndim == 2 and data.shape[1] == len(self.inputs):
            data = Table(data, self.inputs)  # an array has no names: by place, as the predictor has it
        found = self.predict_table(data, scores=what == "scores", extra=False)
        if what == "numbers":
            return found[0]
        if what == "codes":
            return found.codes(0)
        columns = found.columns[1:]
        if not columns:
            raise UsageError(f"{self.learner} gives no scores")
        return np.column_stack([found[i + 1] for i in range(len(columns))])

    def apply(self, data: Any) -> Table:
        """Rows as the transforms of the model make them: of a recipe all there is to it."""
        made = ffi.new("cairn_table **")
        context().work(lib.cairn_recipe_apply, made, self._open(), Table(data)._pointer)
        return Table._wrap(made[0])

    def predictor(self, columns: Sequence[str] | None = None, *, exact: bool = False,
                  ignore_unknown: bool = False, missing_columns: bool = False) -> Predictor:
        """What answers single rows within microseconds: model.predictor()([5.1, 3.5]).

        `columns` are those of a row, in their order; None = `inputs`. With `exact` every answer is
        that of `predict` to the last bit. `ignore_unknown` passes over columns that the model does
        not know, `missing_columns` takes those that are not named as missing."""
        return Predictor(self, columns, exact=exact, ignore_unknown=ignore_unknown,
                         missing_columns=missing_columns)

    def explain(
        self, data: Any, rows: str | None = None, by: str | None = None, background: Any = None
    ) -> Report:
        """Why the model answers as it does, row by row. Rows are held against training rows that
        the model keeps, or against those of `background`; the report says against which."""
        how, report = options("cairn_explain_options"), Report()
        kept = how.rows, how.by = string(rows), string(by)
        others = None if background is None else Table(background)
        if others is not None:
            how.background = others._pointer
        context().work(lib.cairn_explain, report._pointer, self._open(), Table(data)._pointer, how)
        del kept, others
        return report

    def evaluate(self, data: Any, y: Any = None, **words: Any) -> Report:
        """How good the model is on these rows."""
        from ._verbs import evaluate

        return evaluate(self, data, y, **words)

    def update(self, data: Any, y: Any = None, weights: Any = None) -> Model:
        """Learn from more rows, where the learner can; the model itself changes."""
        table = _table_for(data, y, weights, None)
        context().work(lib.cairn_model_update, self._open(), table._pointer, ffi.NULL)
        self._local = threading.local()
        return self

    # -- elsewhere --

    def save(self, path: str) -> None:
        """Write the model to a file."""
        context().call(lib.cairn_model_save, self._open(), string(path))

    def export(self, to: str = "c") -> str:
        """The model written down: "c", "py", "js", "json", "text" ... as its learner has them."""
        made = ffi.new("char **")
        context().call(lib.cairn_model_export, self._open(), string(to), made)
        return taken(made)

    def to_onnx(self) -> bytes:
        """The model as an ONNX file, for onnxruntime and others."""
        return self._bytes(lib.cairn_model_export_bytes, string("onnx"))

    def to_bytes(self) -> bytes:
        """The bytes of the model's file."""
        return self._bytes(lib.cairn_model_save_memory)

    def _bytes(self, write: Any, *words: Any) -> bytes:
        made, length = ffi.new("char **"), ffi.new("size_t *")
        context().call(write, self._open(), *words, made, length)
        try:
            return bytes(ffi.buffer(made[0], length[0]))
        finally:
            lib.cairn_string_free(made[0])

    @classmethod
    def from_bytes(cls, content: bytes, name: str = "model") -> Model:
        """The model of such bytes."""
        made = ffi.new("cairn_model **")
        context().call(
            lib.cairn_model_load_memory, made, string(name), ffi.from_buffer(content), len(content))
        return cls(made[0])

    def close(self) -> None:
        """Free the model now; it cannot be used afterwards."""
        self._local = threading.local()
        if self._pointer is not None:
            ffi.release(self._pointer)
        self._pointer = None

    def _open(self) -> Any:
        if self._pointer is None:
            raise UsageError("the model was closed; fit or load it again")
        return self._pointer

    def __getstate__(self) -> bytes:
        return self.to_bytes()

    def __setstate__(self, state: bytes) -> None:
        self._pointer, self._local = Model.from_bytes(state)._pointer, threading.local()

    def __repr__(self) -> str:
        if self._pointer is None:
            return "<cairn.Model, closed>"
        return f"<cairn.Model: {self.learner}, {self.task}>"

    def __str__(self) -> str:
        return str(self.describe())

    def _repr_html_(self) -> str:
        return self.describe()._repr_html_()


def _chosen(labels: Any, codes: np.ndarray) -> Any:
    """The label of every code; None where there is no answer, which numbers have no place for."""
    if hasattr(labels, "categories"):
        return labels.from_codes(np.maximum(codes, -1), dtype=labels.dtype)
    if not (codes < 0).any():
        return labels[codes]
    known = np.array([*labels.tolist(), None], dtype=object)
    return known[np.where(codes < 0, len(labels), codes)]


class _Tables(Mapping):
    """The tables of a model, made when they are asked for."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __len__(self) -> int:
        return lib.cairn_model_table_count(self._model._open())

    def __iter__(self) -> Any:
        model = self._model._open()
        return iter([text(lib.cairn_model_table_name(model, i)) for i in range(len(self))])

    def __getitem__(self, name: str) -> Table:
        if name not in list(self):
            raise KeyError(f"the model has no table {name!r}; it has {', '.join(self)}")
        made = ffi.new("cairn_table **")
        context().call(lib.cairn_model_table, made, self._model._open(), string(name))
        return Table._wrap(made[0])

    def __repr__(self) -> str:
        return f"<tables: {', '.join(self)}>"


def fit(learner: str, data: Any, y: Any = None, *, weights: Any = None,
        names: Sequence[str] | None = None, with_: Sequence[str] = (), task: str | None = None,
        positive: str | None = None, missing: str | None = None, steps: Report | None = None,
        **parameters: Any) -> Model:
    """Learn from data: fit("tree:max-depth=3", X, y), fit("tree", frame, "species", max_depth=3).

    `y` is an array, the name of a column, or several names; None where the learner needs none, or
    the table names its target itself. `with_` are transforms in order: ["standardise"]. A report
    given as `steps` gets every step of the calculation. `target`, `id`, `ignore`, `group` and
    `weight` name columns, as on the command line."""
    data, y, parameters = _told_roles(learner, data, y, parameters)
    return fit_with(learner, parameters, data, y, weights=weights, names=names, with_=with_, task=task,
                    positive=positive, missing=missing, steps=steps)


def fit_with(learner: str, parameters: Mapping[str, Any], data: Any, y: Any = None, *,
             weights: Any = None, names: Sequence[str] | None = None, with_: Sequence[str] = (),
             task: str | None = None, positive: str | None = None, missing: str | None = None,
             steps: Report | None = None) -> Model:
    """The same with the learner's parameters as a dict."""
    if task not in _TASKS:
        raise UsageError(f"there is no task {task!r}; there are classify, regress, cluster and label")
    params, table = spec(learner, parameters), _table_for(data, y, weights, names)
    how, made = options("cairn_fit_options"), ffi.new("cairn_model **")
    chain, kept = strings(with_)
    words = string(positive), string(missing)
    how.task, how.positive, how.missing = _TASKS[task], words[0], words[1]
    setattr(how, "with", chain)
    if steps is not None:
        how.steps = steps._pointer
    context().work(lib.cairn_model_fit, made, params, table._pointer, how)
    del kept
    return keep_type(Model(made[0]), data, y, table.columns)


def fit_recipe(transforms: Sequence[str], data: Any, y: Any = None, *,
               names: Sequence[str] | None = None) -> Model:
    """Transforms alone, fitted in order: fit_recipe(["impute", "pca:2"], frame).apply(frame)."""
    how, made = options("cairn_fit_options"), ffi.new("cairn_model **")
    chain, kept = strings(transforms)
    setattr(how, "with", chain)
    table = _table_for(data, y, None, names)
    context().work(lib.cairn_recipe_fit, made, ffi.NULL, table._pointer, how)
    del kept
    return Model(made[0])


def load(path: str) -> Model:
    """The model of a file."""
    made = ffi.new("cairn_model **")
    context().call(lib.cairn_model_load, made, string(path))
    return Model(made[0])

# SPDX-License-Identifier: MIT
"""The verbs of the program on data and models of Python.

All of them go one way: the words of the command line, with data and models as objects by name."""
from __future__ import annotations

import os
from typing import Any, Mapping, Sequence

from ._errors import UsageError
from ._library import context, ffi, lib, options, owned, string, strings
from ._model import Model, _table_for, _written, keep_type, spec
from ._report import Picture, Report
from ._table import Table


class _Objects:
    """Tables and models by name, for one command."""

    def __init__(self, objects: Mapping[str, Any]) -> None:
        made = ffi.new("cairn_objects **")
        context().call(lib.cairn_objects_new, made)
        self.pointer = owned(made[0], lib.cairn_objects_free)
        for name, value in objects.items():
            self.put(name, value)

    def put(self, name: str, value: Any) -> None:
        if isinstance(value, Model):
            context().call(lib.cairn_objects_put_model, self.pointer, string(name), value._open())
        else:
            table = Table(value)
            context().call(lib.cairn_objects_put_table, self.pointer, string(name), table._pointer)

    def take(self, report: Report, table: str | None, model: str | None) -> None:
        """What the command put there, into the report."""
        if table:
            found = lib.cairn_objects_take_table(self.pointer, string(table))
            report.table = None if found == ffi.NULL else Table._wrap(found)
        if model:
            found = lib.cairn_objects_take_model(self.pointer, string(model))
            report.model = None if found == ffi.NULL else Model(found)


def _words(options_: Mapping[str, Any]) -> list[str]:
    """Options as words of the command line: max_depth=3 is --max-depth 3, steps=True is --steps."""
    words: list[str] = []
    for name, value in options_.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None:
            continue
        if value is True:
            words.append(option)
        elif value is False:
            words.append("--no-" + option[2:])
        else:
            words += [option, _written(value)]
    return words


def run(*words: str, objects: Mapping[str, Any] | None = None, table: str | None = None,
        model: str | None = None) -> Report:
    """Do what `cairn WORDS` does: run("evaluate", "tree", "@data", objects={"data": frame}).

    Objects are data of any form or models; "@name" means them. `table` and `model` name objects
    that the words make (--out @name, --save @name); they are in the report."""
    report, held = Report(), _Objects(objects or {})
    output = options("cairn_run_output")
    listed, kept = strings([str(word) for word in words])
    context().work(
        lib.cairn_run_with, report._pointer, output, held.pointer, len(words), listed,
        allow=lib.CAIRN_CHECK_FAILED,
    )
    if output.document != ffi.NULL:
        report.document = bytes(ffi.buffer(output.document, output.length))
        lib.cairn_string_free(output.document)
    held.take(report, table, model)
    del kept
    return report


def evaluate(learner: str | Model, data: Any, y: Any = None, *, weights: Any = None,
             names: Sequence[str] | None = None, **more: Any) -> Report:
    """How good a learner is on rows that it has not seen, or a model on these rows."""
    table = _table_for(data, y, weights, names)
    if isinstance(learner, Model):
        return run("evaluate", "@model", "@data", *_words(more),
                   objects={"model": learner, "data": table})
    return run("evaluate", learner, "@data", *_words(more), objects={"data": table})


def compare(*learners: Any, data: Any = None, y: Any = None, weights: Any = None, **more: Any) -> Report:
    """Which learner is better, all on the same splits.

    Learners come first, one by one or in a list, then the data, then what is predicted:
    compare("tree", "forest", frame, "species"), compare(["tree", "forest"], X, y)."""
    if "learners" in more:
        learners = (more.pop("learners"), *learners)
    names, rest = _split_learners(learners)
    if data is None and rest:
        data, rest = rest[0], rest[1:]
    if y is None and rest:
        y, rest = rest[0], rest[1:]
    if data is None or rest or not names:
        raise UsageError('give learners, then the data, then what is predicted: '
                         'compare("tree", "forest", frame, "species")')
    return run("compare", *names, "--on", "@data", *_words(more),
               objects={"data": _table_for(data, y, weights, None)})


def _split_learners(words: Sequence[Any]) -> tuple[list[str], list[Any]]:
    """The learners that stand first, and what stands behind them."""
    if words and isinstance(words[0], (list, tuple)):
        return list(words[0]), list(words[1:])
    names = []
    for word in words:
        if not isinstance(word, str) or _is_data(word):
            break
        spec(word, {})  # a name that is none is refused here, and no file of that name is opened
        names.append(word)
    return names, list(words[len(names):])


def _is_data(word: str) -> bool:
    """Whether a text names data and no learner: built-in, a file, or what looks like its name."""
    name = word.partition(":")[0]
    ctx = context().pointer
    if lib.cairn_entry_by_name(ctx, lib.CAIRN_ENTRY_LEARNER, string(name)) != ffi.NULL:
        return False
    return name.startswith("@") or "." in name or os.sep in name or os.path.exists(word)


def tune(learner: str, data: Any, y: Any = None, *, over: Mapping[str, Any] | None = None,
         weights: Any = None, **more: Any) -> Report:
    """Search for good parameters: over={"max_depth": "1:8"}, or what the learner declares to be
    worth a search; the best model is report.model."""
    points = [f"{name.replace('_', '-')}={_written(values)}" for name, values in (over or {}).items()]
    words = [word for point in points for word in ("--over", point)]
    table = _table_for(data, y, weights, None)
    report = run("tune", learner, "@data", *words, *_words(more), "--save", "@chosen",
                 objects={"data": table}, model="chosen")
    if report.model is not None:
        keep_type(report.model, data, y, table.columns)
    return report


def compute(calculator: str, *data: Any, **more: Any) -> Report:
    """Run a calculator on data, on models and data, or on options alone."""
    return run("compute", calculator, *_named(data), *_words(more), objects=_objects(data))


def describe(data: Any, y: Any = None, **more: Any) -> Report:
    """What data hold, column by column; of a model, what it is."""
    thing = data if isinstance(data, Model) else _table_for(data, y, None, None)
    return run("describe", "@data", *_words(more), objects={"data": thing})


def draw(picture: str, *data: Any, format: str = "svg", **more: Any) -> Picture:
    """Draw a picture of data, of models, or of both."""
    report = run("draw", picture, *_named(data), "--out", "-." + format, *_words(more),
                 objects=_objects(data))
    return Picture(report.document or b"", format)


def _named(things: Sequence[Any]) -> list[str]:
    return [f"@data{i}" if i else "@data" for i in range(len(things))]


def _objects(things: Sequence[Any]) -> dict[str, Any]:
    return {name[1:]: thing for name, thing in zip(_named(things), things)}

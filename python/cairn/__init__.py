# SPDX-License-Identifier: MIT
"""Machine learning that shows its work: Cairn for Python.

    import cairn
    model = cairn.fit("tree:max-depth=3", X, y)
    model.predict(X)
    print(cairn.evaluate("tree", X, y)["accuracy"])

Every number and report is the library's; see the page docs/python.md of Cairn."""
from typing import TYPE_CHECKING

from . import _elsewhere
from ._errors import (BadDataError, CairnError, CairnWarning, CancelledError, CheckFailedError, FileError,
                      InternalError, NoMemoryError, NoSolutionError, UsageError)
from ._library import lib as _lib
from ._library import set_memory, set_seed, set_threads, text as _text
from ._model import Model, fit, fit_recipe, load
from ._predictor import Predictor
from ._registry import Entry, Parameter, entries, entry
from ._report import Picture, Report
from ._table import Table
from ._verbs import compare, compute, describe, draw, evaluate, run, tune

__version__ = _text(_lib.cairn_version())
__all__ = [
    "BadDataError", "CairnError", "CairnWarning", "CancelledError", "CheckFailedError", "Entry", "FileError",
    "InternalError", "Model", "NoMemoryError", "NoSolutionError", "Parameter", "Picture", "Predictor", "Report", "Table",
    "UsageError", "compare", "compute", "describe", "draw", "entries", "entry", "evaluate", "fit", "fit_recipe", "load",
    "run", "set_memory", "set_seed", "set_threads", "tune",
]


if not TYPE_CHECKING:  # for a checker a name that is not there stays one

    def __getattr__(name: str) -> object:
        raise _elsewhere.refuse("cairn", name, _elsewhere.MODULE)

# SPDX-License-Identifier: MIT
"""Failures of the library as exceptions, one class for each status."""
from __future__ import annotations


class CairnWarning(UserWarning):
    """A warning of the library."""


class CairnError(Exception):
    """A call that failed; the text is the library's message."""


class UsageError(CairnError, ValueError):
    """A wrong name, or a value outside its range."""


class BadDataError(CairnError, ValueError):
    """Data or a model that cannot be used, or a parameter that the data cannot satisfy."""


class NoSolutionError(CairnError, ArithmeticError):
    """The problem has no solution."""


class FileError(CairnError, OSError):
    """A file or the system failed."""


class NoMemoryError(CairnError, MemoryError):
    """Out of memory, or more than the limit allows."""


class CheckFailedError(CairnError, AssertionError):
    """A requested check did not hold."""


class InternalError(CairnError, RuntimeError):
    """A bug in Cairn."""


class CancelledError(CairnError, KeyboardInterrupt):
    """The caller stopped it."""


_BY_STATUS = {
    1: CheckFailedError,
    2: UsageError,
    3: BadDataError,
    4: NoSolutionError,
    5: FileError,
    6: NoMemoryError,
    7: InternalError,
    8: CancelledError,
}


def of(status: int, message: str) -> CairnError:
    """The exception for a status."""
    return _BY_STATUS.get(status, CairnError)(message)

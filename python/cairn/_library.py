# SPDX-License-Identifier: MIT
"""The library behind the package: found, declared, checked, and called with a context per thread."""
from __future__ import annotations

import glob
import os
import threading
import warnings
import weakref
from typing import Any, Callable

import cffi

from . import _errors

HERE = os.path.dirname(os.path.abspath(__file__))
VERSION = "0.1"

ffi = cffi.FFI()
with open(os.path.join(HERE, "_cdef.txt"), encoding="utf-8") as _text:
    ffi.cdef(_text.read())


def _candidates() -> list[str]:
    """Where the library may be: as told, beside the package, wherever the system looks."""
    told = os.environ.get("CAIRN_LIBRARY")
    if told:
        return [told]
    return [os.path.join(HERE, "libcairn-course.so"), "libcairn-course.so." + VERSION, "libcairn-course.so"]


def _load_needed() -> list[Any]:
    """What the library beside the package needs, where a wheel brought it along: loaded first, it is
    found by its name."""
    return [ffi.dlopen(path) for path in sorted(glob.glob(os.path.join(HERE, "libs", "*.so*")))
            if not path.endswith(".copyright")]


def _open() -> Any:
    tried = []
    for path in _candidates():
        try:
            if path.startswith(HERE):
                _kept.extend(_load_needed())
            library = ffi.dlopen(path)
        except OSError as error:
            tried.append((path, str(error)))
            continue
        version = ffi.string(library.cairn_version()).decode()
        if version.rsplit(".", 1)[0] != VERSION:
            raise ImportError(f"{path} is Cairn {version}; this package needs {VERSION}")
        return library
    raise ImportError(
        "the library of Cairn is not found. After 'make' it is build/libcairn-course.so: say so by "
        "CAIRN_LIBRARY=/path/of/build/libcairn-course.so, or install it by 'make install'. Tried: "
        + "; ".join(why.split(".  ")[0].rsplit(f"'{path}': ")[-1] for path, why in tried)
    )


_kept: list[Any] = []
lib = _open()


def text(pointer: Any) -> str | None:
    """A C string as str; NULL is None."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def string(value: str | None) -> Any:
    """A str as a C string; None is NULL. The caller keeps what is returned alive."""
    if value is None:
        return ffi.NULL
    encoded = str(value).encode()
    if b"\0" in encoded:
        raise _errors.UsageError(f"{value!r} holds a zero byte, which no name or value may")
    return ffi.new("char[]", encoded)


def strings(values: Any, end: bool = True) -> tuple[Any, list[Any]]:
    """An array of C strings, ended by NULL, and what keeps them alive."""
    kept = [string(value) for value in values]
    return ffi.new("char *[]", kept + [ffi.NULL] if end else kept or [ffi.NULL]), kept


def taken(pointer: Any) -> str:
    """A string that the library made, freed here."""
    try:
        return ffi.string(pointer[0]).decode("utf-8", "replace")
    finally:
        lib.cairn_string_free(pointer[0])


def options(kind: str) -> Any:
    """A struct of options at its defaults: zeros, begun with its size."""
    made = ffi.new(kind + " *")
    made.size = ffi.sizeof(kind)
    return made


def owned(pointer: Any, release: Callable[[Any], None]) -> Any:
    """A pointer that is freed when Python lets go of it."""
    return ffi.gc(pointer, release)


class Context:
    """One context of the library; a thread has its own, see `context()`."""

    def __init__(self) -> None:
        made = ffi.new("cairn_context **")
        if lib.cairn_context_new(made, ffi.NULL):
            raise MemoryError("there is no memory for a context of Cairn")
        self.pointer = owned(made[0], lib.cairn_context_free)
        self._told: list[str] = []
        told = weakref.ref(self)

        @ffi.callback("cairn_log_function")
        def log(level: int, message: Any, _data: Any) -> None:
            context = told()
            if context is not None and level == lib.CAIRN_LOG_WARNING:
                context._told.append(text(message) or "")

        self._log = log
        lib.cairn_context_set_log(self.pointer, log, ffi.NULL)

    def finish(self, status: int) -> None:
        """Pass warnings on, and turn a failure into its exception."""
        told, self._told = self._told, []
        for message in told:
            warnings.warn(message, _errors.CairnWarning, stacklevel=4)
        if status:
            raise _errors.of(status, text(lib.cairn_message(self.pointer)) or "")

    def call(self, function: Callable[..., int], *arguments: Any) -> None:
        """A call that is over soon."""
        self.finish(function(self.pointer, *arguments))

    def work(self, function: Callable[..., int], *arguments: Any, allow: int = 0) -> int:
        """A call that may take long: Ctrl-C cancels it. The status `allow` is returned, not raised."""
        if threading.current_thread() is not threading.main_thread():
            status = function(self.pointer, *arguments)
        else:
            status = self._interruptible(function, arguments)
        self.finish(0 if status == allow else status)
        return status

    def _interruptible(self, function: Callable[..., int], arguments: tuple[Any, ...]) -> int:
        """The call on a thread of its own, so that this one sees the interrupt while it waits.

        The wait is for an event: a join that is interrupted may take the thread for ended."""
        found: list[int] = []
        done = threading.Event()

        def work() -> None:
            try:
                found.append(function(self.pointer, *arguments))
            finally:
                done.set()

        threading.Thread(target=work, daemon=True).start()
        interrupted = False
        while not done.is_set():
            try:
                done.wait()
            except KeyboardInterrupt:
                interrupted = True
                lib.cairn_context_cancel(self.pointer)
        if interrupted:
            lib.cairn_context_resume(self.pointer)  # it may have come too late for this call
            self._told.clear()
            raise KeyboardInterrupt
        return found[0]


_local = threading.local()


def context() -> Context:
    """The context of this thread."""
    if not hasattr(_local, "context"):
        _local.context = Context()
    return _local.context


def set_threads(threads: int) -> None:
    """How many threads the work that this thread starts may use; 0 = all that there are."""
    lib.cairn_context_set_threads(context().pointer, int(threads))


def set_seed(seed: int) -> None:
    """Where random numbers begin in work that this thread starts; 1 unless set."""
    lib.cairn_context_set_seed(context().pointer, int(seed))


def set_memory(size: int) -> None:
    """The most bytes that work of this thread may hold; 0 = as many as there are."""
    lib.cairn_context_set_memory(context().pointer, int(size))

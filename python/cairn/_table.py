# SPDX-License-Identifier: MIT
"""Tables: made of arrays, data frames, Arrow data, dicts or files, and read back as arrays.

Numbers are lent to the library where they lie in memory as it reads them; Python keeps what is lent
alive until the library lets go of it."""
from __future__ import annotations

import ctypes
import datetime
import decimal
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from ._errors import UsageError
from ._library import context, ffi, lib, options, owned, string, strings, text

_NUMBERS = (bool, int, float, np.number, np.bool_, decimal.Decimal)
_ROLES = {"feature": 0, "target": 1, "weight": 2, "id": 3, "group": 4, "ignored": 5}

# -- memory that is lent --

_lent: dict[int, Any] = {}


def _let_go_of(owner: Any, cast: Any = ffi.cast, lent: dict[int, Any] = _lent) -> None:
    lent.pop(int(cast("uintptr_t", owner)), None)


# tables may be freed while the interpreter ends, when this module is gone: the function stays
_release = ffi.callback("void(void *)", _let_go_of)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_release))


_next_lent = 0


def _lend(kept: Any) -> tuple[Any, Any]:
    """The release function, and the owner that stands for what it lets go of."""
    global _next_lent
    _next_lent += 1
    _lent[_next_lent] = kept
    return _release, ffi.cast("void *", _next_lent)


def _address(array: np.ndarray, kind: str) -> Any:
    return ffi.cast(kind, array.ctypes.data)


# -- columns --


def _is_missing(value: Any) -> bool:
    return value is None or value is np.ma.masked or value != value or type(value).__name__ == "NAType"


def _flat(name: str, values: Any, n_rows: int | None) -> np.ndarray:
    """One column as an array of one dimension."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise UsageError(f"column '{name}' has {array.ndim} dimensions; a column has one")
    if n_rows is not None and len(array) != n_rows:
        raise UsageError(f"column '{name}' has {len(array)} rows where the others have {n_rows}")
    return array


def _words(name: str, array: np.ndarray) -> list[str | None]:
    """Texts of a column of objects; numbers among texts are written out, other things refused."""
    words: list[str | None] = []
    for row, value in enumerate(array.tolist()):
        if isinstance(value, str):
            words.append(value)
        elif _is_missing(value):
            words.append(None)
        elif isinstance(value, (*_NUMBERS, np.generic)):
            words.append(str(value))
        elif isinstance(value, bytes):
            words.append(value.decode())
        else:
            raise UsageError(
                f"column '{name}', row {row + 1}: {type(value).__name__} is no cell; "
                "give numbers, texts, times or None"
            )
    return words


class _Builder:
    """A table that is being filled."""

    def __init__(self, n_rows: int) -> None:
        made = ffi.new("cairn_table **")
        context().call(lib.cairn_table_new, made, n_rows)
        self.n_rows = n_rows
        self.pointer = owned(made[0], lib.cairn_table_free)

    def add(self, name: str, values: Any) -> None:
        """A column of whatever kind the values are."""
        if hasattr(values, "cat") and hasattr(values.cat, "codes"):
            self._categories(name, values.cat.codes, values.cat.categories, values.cat.ordered)
            return
        if hasattr(values, "codes") and hasattr(values, "categories"):
            self._categories(name, values.codes, values.categories, values.ordered)
            return
        if hasattr(values, "to_numpy") and str(getattr(values, "dtype", "")) in ("boolean", "string"):
            values = values.to_numpy(dtype=object)
        elif type(getattr(values, "dtype", None)).__name__ in (
            "Int8Dtype Int16Dtype Int32Dtype Int64Dtype UInt8Dtype UInt16Dtype UInt32Dtype "
            "UInt64Dtype Float32Dtype Float64Dtype"
        ).split():
            values = values.to_numpy(dtype=float, na_value=np.nan)
        array = _flat(name, values, self.n_rows)
        if array.dtype.kind == "c":
            raise UsageError(f"column '{name}' holds complex numbers; give their parts as columns")
        if array.dtype.kind in "fiub":
            self._numbers(name, array)
        elif array.dtype.kind in "M":
            self._times(name, array)
        else:
            self._objects(name, array)

    def _numbers(self, name: str, array: np.ndarray) -> None:
        numbers = np.ascontiguousarray(array, dtype=np.float64)
        release, owner = _lend(numbers)
        context().call(
            lib.cairn_table_lend_numbers, self.pointer, string(name),
            _address(numbers, "const double *"), release, owner,
        )

    def _times(self, name: str, array: np.ndarray) -> None:
        seconds = array.astype("datetime64[us]").astype(np.int64) / 1e6
        seconds[np.isnat(array)] = np.nan
        context().call(
            lib.cairn_table_add_times, self.pointer, string(name), _address(seconds, "double *")
        )

    def _objects(self, name: str, array: np.ndarray) -> None:
        """Numbers, times or texts that lie there as objects; few distinct texts are levels."""
        values = [value for value in array.tolist() if not _is_missing(value)]
        if values and all(isinstance(v, _NUMBERS) for v in values):
            self._numbers(name, np.array([np.nan if _is_missing(v) else v for v in array], float))
            return
        if values and all(isinstance(v, (datetime.datetime, datetime.date)) for v in values):
            times = ["NaT" if _is_missing(v) else np.datetime64(v, "us") for v in array.tolist()]
            self._times(name, np.array(times, dtype="datetime64[us]"))
            return
        words = _words(name, array)
        names = list(dict.fromkeys(word for word in words if word is not None))
        if len(names) > max(50, len(words) // 10):
            listed, _kept = strings(words, end=False)
            context().call(lib.cairn_table_add_texts, self.pointer, string(name), listed)
        else:
            self.levels(name, words, names)

    def levels(self, name: str, words: Sequence[str | None], names: Sequence[str],
               ordered: bool = False) -> None:
        """A column of levels, by their names."""
        place = {word: code for code, word in enumerate(names)}
        codes = np.array([-1 if w is None else place[w] for w in words], dtype=np.int32)
        self._codes(name, codes, names, ordered)

    def _categories(self, name: str, codes: Any, categories: Any, ordered: bool) -> None:
        found = np.asarray(codes).astype(np.int32)
        if len(found) != self.n_rows:
            raise UsageError(f"column '{name}' has {len(found)} rows where the others have {self.n_rows}")
        self._codes(name, found, [str(c) for c in categories], bool(ordered))

    def _codes(self, name: str, codes: np.ndarray, names: Sequence[str], ordered: bool) -> None:
        listed, _kept = strings(names, end=False)
        add = lib.cairn_table_add_ordered if ordered else lib.cairn_table_add_levels
        context().call(add, self.pointer, string(name), _address(codes, "int32_t *"), listed, len(names))

    def bags(self, name: str, matrix: Any) -> None:
        """A sparse matrix of scipy as one column of bags."""
        rows = matrix.tocsr()
        starts = rows.indptr.astype(np.uintp)
        items = rows.indices.astype(np.int32)
        values = rows.data.astype(np.float64)
        listed, _kept = strings([f"x{j + 1}" for j in range(rows.shape[1])], end=False)
        context().call(
            lib.cairn_table_add_bags, self.pointer, string(name), _address(starts, "size_t *"),
            _address(items, "int32_t *"), _address(values, "double *"), listed, rows.shape[1], ffi.NULL,
        )


# -- whole tables --


def _of_matrix(array: np.ndarray, names: Sequence[str] | None) -> Any:
    """A matrix of numbers, lent where its columns lie as the library reads them."""
    if array.ndim != 2:
        raise UsageError(
            f"data of {array.ndim} dimensions; a table has two: rows and columns. Reshape your data "
            "by reshape(-1, 1) if it is one column, or reshape(1, -1) if it is one row"
        )
    if names is not None and len(names) != array.shape[1]:
        raise UsageError(f"{len(names)} names for {array.shape[1]} columns")
    if array.dtype not in (np.float64, np.float32):
        array = np.asfortranarray(array, dtype=np.float64)
    matrix = _matrix(array)
    listed, _kept = strings(names, end=False) if names is not None else (ffi.NULL, None)
    made = ffi.new("cairn_table **")
    release, owner = _lend(array)
    context().call(lib.cairn_table_lend_matrix, made, matrix, listed, release, owner)
    return owned(made[0], lib.cairn_table_free)


def _matrix(array: np.ndarray) -> Any:
    """What the library has to know of an array of two dimensions."""
    matrix = ffi.new("cairn_matrix *")
    matrix.size = ffi.sizeof("cairn_matrix")
    matrix.data = _address(array, "const void *")
    matrix.type = lib.CAIRN_FLOAT64 if array.dtype == np.float64 else lib.CAIRN_FLOAT32
    matrix.n_rows, matrix.n_columns = array.shape
    matrix.row_stride, matrix.column_stride = array.strides
    return matrix


def _of_columns(columns: Mapping[str, Any]) -> Any:
    if not columns:
        raise UsageError("a table without columns; give at least one")
    n_rows = len(next(iter(columns.values())))
    builder = _Builder(n_rows)
    for name, values in columns.items():
        builder.add(str(name), values)
    return builder.pointer


def _capsule_pointer(capsule: Any, name: bytes) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, name)


def _of_arrow(data: Any) -> Any:
    """Arrow data through its C interface: moved, not copied."""
    made = ffi.new("cairn_table **")
    if hasattr(data, "__arrow_c_stream__"):
        capsule = data.__arrow_c_stream__()
        stream = ffi.cast("struct ArrowArrayStream *", _capsule_pointer(capsule, b"arrow_array_stream"))
        context().call(lib.cairn_table_from_arrow_stream, made, stream)
    else:
        schema, array = data.__arrow_c_array__()
        context().call(
            lib.cairn_table_from_arrow, made,
            ffi.cast("struct ArrowSchema *", _capsule_pointer(schema, b"arrow_schema")),
            ffi.cast("struct ArrowArray *", _capsule_pointer(array, b"arrow_array")),
        )
    return owned(made[0], lib.cairn_table_free)


_READING = ("format", "separator", "decimal", "header", "transpose", "missing", "encoding", "kinds", "time_format",
            "only_marks", "skip", "comment", "thousands", "sheet")


def _reading(given: Mapping[str, Any]) -> tuple[Any, list[Any]]:
    """How a file is to be read, and what has to live as long."""
    how, kept = options("cairn_read_options"), []
    how.header = -1  # found
    for name, value in given.items():
        if name not in _READING:
            raise UsageError(f"a file is not read with {name!r}; there are {', '.join(_READING)}")
        field = dict(ffi.typeof("cairn_read_options").fields)[name].type
        if field.kind == "pointer":
            kept.append(string(str(value)))
            setattr(how, name, kept[-1])
        elif field.cname == "char":
            setattr(how, name, str(value).encode())
        else:
            setattr(how, name, value)
    return how, kept


def _read(path: str, given: Mapping[str, Any]) -> Any:
    made = ffi.new("cairn_table **")
    how, kept = _reading(given)
    context().work(lib.cairn_table_read, made, string(path), how)
    del kept
    return owned(made[0], lib.cairn_table_free)


def _pointer_of(data: Any, names: Sequence[str] | None, reading: Mapping[str, Any]) -> Any:
    """The table that data of any form makes."""
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        return _read(str(data), reading)
    if reading:
        raise UsageError(f"{next(iter(reading))!r} says how a file is read, and {type(data).__name__} is none")
    if isinstance(data, Mapping):
        return _of_columns(data)
    if hasattr(data, "iloc") and hasattr(data, "columns"):
        if not data.columns.is_unique:
            name = data.columns[data.columns.duplicated()][0]
            raise UsageError(f"two columns are called '{name}'; a name stands for one column")
        return _of_columns({name: data[name] for name in data.columns})
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return _of_arrow(data)
    if hasattr(data, "tocsr"):
        builder = _Builder(data.shape[0])
        builder.bags("x", data)
        return builder.pointer
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise UsageError(f"rows of different lengths make no table ({error})") from error
    if array.dtype.kind == "c":
        raise UsageError("complex data not supported; give the parts of the numbers as columns")
    if array.dtype.kind in "fiub":
        return _of_matrix(array, names)
    if array.ndim != 2:
        raise UsageError(
            f"{type(data).__name__} is no table; give an array of two dimensions, a data frame, "
            "a dict of columns, Arrow data or the name of a file"
        )
    titles = names if names is not None else [f"x{j + 1}" for j in range(array.shape[1])]
    return _of_columns({title: array[:, j] for j, title in enumerate(titles)})


class Table:
    """Columns of numbers, levels, texts and so on, each with a role.

    `data` is an array of two dimensions, a data frame, a dict of columns, Arrow data, a sparse
    matrix, the name of a file or of built-in data ("@iris"), or another table. How a file is read
    is said as on the command line: Table("sales.csv", decimal=",", time_format="%d.%m.%Y")."""

    def __init__(self, data: Any, names: Sequence[str] | None = None, **reading: Any) -> None:
        if isinstance(data, Table) and not reading:
            self._pointer: Any = data._pointer
        else:
            self._pointer = _pointer_of(data, names, reading)

    @classmethod
    def _wrap(cls, pointer: Any) -> Table:
        table = cls.__new__(cls)
        table._pointer = owned(pointer, lib.cairn_table_free)
        return table

    def copy(self) -> Table:
        """Another table of the same columns, which are shared."""
        made = ffi.new("cairn_table **")
        context().call(lib.cairn_table_copy, made, self._pointer)
        return Table._wrap(made[0])

    def with_column(self, name: str, values: Any, role: str = "feature") -> Table:
        """A copy with one more column."""
        table = self.copy()
        builder = _Builder.__new__(_Builder)
        builder.n_rows, builder.pointer = len(table), table._pointer
        builder.add(name, values)
        return table.with_roles(**{role: [name]})

    def with_roles(self, **roles: str | Iterable[str]) -> Table:
        """A copy in which columns have other roles: with_roles(target="y", id=["name"])."""
        table = self.copy()
        for role, columns in roles.items():
            if role not in _ROLES:
                raise UsageError(f"there is no role '{role}'; there are {', '.join(_ROLES)}")
            for column in [columns] if isinstance(columns, str) else columns:
                context().call(
                    lib.cairn_table_set_role, table._pointer, string(column), _ROLES[role]
                )
        return table

    def __len__(self) -> int:
        return lib.cairn_table_rows(self._pointer)

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        return len(self), lib.cairn_table_columns(self._pointer)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        n = lib.cairn_table_columns(self._pointer)
        return [text(lib.cairn_table_name(self._pointer, i)) or "" for i in range(n)]

    def kind(self, column: str) -> str:
        """What a column holds: "number", "level", "text", "time", "bag" ..."""
        at = lib.cairn_table_find(self._pointer, string(column))
        if at < 0:
            raise KeyError(f"there is no column {column!r}; there are {', '.join(self.columns)}")
        return ffi.typeof("cairn_kind").elements[lib.cairn_table_kind(self._pointer, at)][6:].lower()

    def __getitem__(self, column: str | int) -> np.ndarray:
        """A column: numbers as floats, times as datetime64, all else as texts or None."""
        at = column if isinstance(column, int) else lib.cairn_table_find(self._pointer, string(column))
        if not 0 <= at < lib.cairn_table_columns(self._pointer):
            raise KeyError(f"there is no column {column!r}; there are {', '.join(self.columns)}")
        kind = lib.cairn_table_kind(self._pointer, at)
        if kind == lib.CAIRN_NUMBER:
            return self._doubles(lib.cairn_table_numbers(self._pointer, at))
        if kind == lib.CAIRN_TIME:
            return _to_times(self._doubles(lib.cairn_table_times(self._pointer, at)))
        if kind == lib.CAIRN_LEVEL:
            return self._level_names(at)
        return np.array([self._cell(at, row) for row in range(len(self))], dtype=object)

    def _doubles(self, numbers: Any) -> np.ndarray:
        return np.frombuffer(ffi.buffer(numbers, 8 * len(self)), dtype=np.float64).copy()

    def codes(self, column: str | int) -> np.ndarray:
        """The codes of a column of levels, -1 = missing."""
        at = column if isinstance(column, int) else lib.cairn_table_find(self._pointer, string(column))
        codes = lib.cairn_table_codes(self._pointer, at)
        if codes == ffi.NULL:
            raise UsageError(f"{column!r} is no column of levels")
        return np.frombuffer(ffi.buffer(codes, 4 * len(self)), dtype=np.int32).copy()

    def _level_names(self, at: int) -> np.ndarray:
        n = lib.cairn_table_level_count(self._pointer, at)
        names = [text(lib.cairn_table_level(self._pointer, at, code)) for code in range(n)] + [None]
        return np.array(names, dtype=object)[self.codes(at)] if len(self) else np.array([], object)

    def _cell(self, at: int, row: int) -> str | None:
        if lib.cairn_table_is_missing(self._pointer, at, row):
            return None
        length = lib.cairn_table_cell(self._pointer, at, row, ffi.NULL, 0)
        room = ffi.new("char[]", length + 1)
        lib.cairn_table_cell(self._pointer, at, row, room, length + 1)
        return ffi.string(room, length).decode("utf-8", "replace")

    def to_dict(self) -> dict[str, np.ndarray]:
        """All columns by name."""
        return {name: self[i] for i, name in enumerate(self.columns)}

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def write(self, path: str) -> None:
        """Write the table to a file, in the format that its name tells."""
        context().work(lib.cairn_table_write, self._pointer, string(path), ffi.NULL)

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """The table as an Arrow struct array, which shares its columns."""
        schema, array = _Capsule("ArrowSchema", b"arrow_schema"), _Capsule("ArrowArray", b"arrow_array")
        context().call(lib.cairn_table_to_arrow, self._pointer, schema.struct, array.struct)
        return schema.hand_over(), array.hand_over()

    def __repr__(self) -> str:
        return f"<cairn.Table of {len(self)} rows: {', '.join(self.columns[:8])}{', ...' if len(self.columns) > 8 else ''}>"

    def _repr_html_(self) -> str:
        import html

        names, shown = self.columns, min(len(self), 10)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(self._cell(c, r) or '')}</td>" for c in range(len(names))) + "</tr>"
            for r in range(shown)
        )
        return f"<table><tr>{head}</tr>{rows}</table><p>{len(self)} rows</p>"


def _to_times(seconds: np.ndarray) -> np.ndarray:
    times = np.full(len(seconds), "NaT", dtype="datetime64[us]")
    known = ~np.isnan(seconds)
    times[known] = np.round(seconds[known] * 1e6).astype("datetime64[us]")
    return times


_DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_capsules: dict[int, Any] = {}


class _Capsule:
    """An Arrow struct that is handed to whoever asked; released when nobody took it."""

    def __init__(self, kind: str, name: bytes) -> None:
        self.struct, self.name = ffi.new(f"struct {kind} *"), name

    def hand_over(self) -> Any:
        address = int(ffi.cast("uintptr_t", self.struct))
        _capsules[address] = self
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, _DESTRUCTOR]
        return make(address, self.name, _let_go)


@_DESTRUCTOR
def _let_go(capsule: int) -> None:
    """The destructor of a capsule: it may still hold what nobody took."""
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi))
    name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_GetName", ctypes.pythonapi))
    kept = _capsules.pop(get(capsule, name(capsule)), None)
    if kept is not None and kept.struct.release != ffi.NULL:
        kept.struct.release(kept.struct)

# SPDX-License-Identifier: MIT
"""Reports and pictures: what the verbs produce, shown by notebooks as they are."""
from __future__ import annotations

import html
import json
from typing import Any

from ._library import context, ffi, lib, options, owned, taken, text
from ._table import Table

_FORMATS = {"text": 0, "json": 1, "markdown": 2, "html": 3}


class Picture(bytes):
    """The bytes of a picture; `format` is "svg", "png" or "pdf"."""

    format: str

    def __new__(cls, content: bytes, format: str = "svg") -> Picture:
        made = super().__new__(cls, content)
        made.format = format
        return made

    def _repr_svg_(self) -> str | None:
        return self.decode() if self.format == "svg" else None

    def _repr_png_(self) -> bytes | None:
        return bytes(self) if self.format == "png" else None

    def save(self, path: str) -> None:
        """Write the picture to a file."""
        with open(path, "wb") as out:
            out.write(self)

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return f"<cairn.Picture, {self.format}, {len(self)} bytes>"


class Report:
    """What a verb found: named values, tables, texts and pictures.

    `report["accuracy"]` is a named value. Results that a verb makes besides are in `model` and
    `table`, bytes that it would print in place of the report in `document`."""

    def __init__(self) -> None:
        made = ffi.new("cairn_report **")
        context().call(lib.cairn_report_new, made)
        self._pointer = owned(made[0], lib.cairn_report_free)
        self.model: Any = None
        self.table: Table | None = None
        self.document: bytes | None = None

    @property
    def values(self) -> dict[str, float | str]:
        """All named values, in the order in which they came."""
        found: dict[str, float | str] = {}
        value = options("cairn_named_value")
        for i in range(lib.cairn_report_value_count(self._pointer)):
            lib.cairn_report_value_at(self._pointer, i, value)
            found[text(value.name) or ""] = (
                value.number if value.text == ffi.NULL else text(value.text) or "")
        return found

    def __getitem__(self, name: str) -> float | str:
        number = ffi.new("double *")
        if lib.cairn_report_number(self._pointer, name.encode(), number):
            return number[0]
        found = text(lib.cairn_report_string(self._pointer, name.encode()))
        if found is None:
            raise KeyError(f"the report has no value {name!r}; 'values' has all of them")
        return found

    @property
    def tables(self) -> list[tuple[str | None, Table]]:
        """The tables with their titles, as far as the report shows them."""
        found = []
        for i in range(lib.cairn_report_table_count(self._pointer)):
            made = ffi.new("cairn_table **")
            context().call(lib.cairn_report_table_at, made, self._pointer, i)
            found.append((text(lib.cairn_report_table_title(self._pointer, i)), Table._wrap(made[0])))
        return found

    def print(self, format: str = "text", width: int = 0) -> str:
        """The whole report as "text", "json", "markdown" or a page of "html"."""
        if format not in _FORMATS:
            raise ValueError(f"there is no format {format!r}; there are {', '.join(_FORMATS)}")
        how, made = options("cairn_print_options"), ffi.new("char **")
        how.width = width
        context().call(lib.cairn_report_print, self._pointer, _FORMATS[format], how, made)
        return taken(made)

    def to_json(self) -> Any:
        """The report as Python data."""
        return json.loads(self.print("json"))

    def __str__(self) -> str:
        return self.print()

    def __repr__(self) -> str:
        return f"<cairn.Report of {lib.cairn_report_value_count(self._pointer)} values>"

    def _repr_html_(self) -> str:
        page = html.escape(self.print("html"), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:0" sandbox="allow-scripts"></iframe>'

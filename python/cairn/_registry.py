# SPDX-License-Identifier: MIT
"""What there is: learners, transforms, calculators and all else that has a name."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._errors import UsageError
from ._library import context, ffi, lib, options, string, taken, text

_KINDS = ("learner", "transform", "format", "source", "resampling", "measure", "distance", "kernel",
          "calculator", "picture", "verb")


@dataclass(frozen=True)
class Parameter:
    """A parameter of an entry. `name` is that of the command line, "max-depth"."""

    name: str
    type: str
    default: str | None
    range: str | None
    choices: tuple[str, ...]
    required: bool
    help: str


@dataclass(frozen=True)
class Entry:
    """A thing that has a name, with its parameters."""

    kind: str
    name: str
    title: str
    summary: str
    example: str
    tasks: int
    takes_weights: bool
    takes_missing: bool
    needs_target: bool
    wraps: bool
    gives_scores: bool
    gives_probabilities: bool
    predicts: bool
    parameters: tuple[Parameter, ...] = field(repr=False)


def _said(words: Any) -> str:
    if words == ffi.NULL:
        return ""
    made = ffi.new("char **")
    context().call(lib.cairn_text_said, words, made)
    return taken(made)


def _parameters(pointer: Any) -> tuple[Parameter, ...]:
    found, info = [], options("cairn_param_info")
    for i in range(lib.cairn_param_count(pointer)):
        lib.cairn_param_at(pointer, i, info)
        choices = [text(lib.cairn_param_choice(pointer, i, c, ffi.NULL)) for c in range(info.choice_count)]
        found.append(Parameter(
            ffi.string(info.name).decode(), text(lib.cairn_type_name(info.type)) or "",
            text(info.initial), text(info.range), tuple(c or "" for c in choices), info.required,
            _said(info.help)))
    return tuple(found)


def _entry(pointer: Any) -> Entry:
    d = options("cairn_entry_details")
    lib.cairn_entry_info(pointer, d)
    return Entry(
        _KINDS[d.kind], text(d.name) or "", text(d.title) or "", _said(d.summary), text(d.example) or "",
        d.tasks, d.takes_weights, d.takes_missing, d.needs_target, d.wraps, d.gives_scores,
        d.gives_probabilities, d.predicts, _parameters(pointer))


def _kind(kind: str) -> int:
    if kind not in _KINDS:
        raise UsageError(f"there is no kind {kind!r}; there are {', '.join(_KINDS)}")
    return _KINDS.index(kind)


def entries(kind: str = "learner") -> list[Entry]:
    """All entries of a kind, by name."""
    ctx, code = context().pointer, _kind(kind)
    return [_entry(lib.cairn_entry_at(ctx, code, i)) for i in range(lib.cairn_entry_count(ctx, code))]


def entry(name: str, kind: str = "learner") -> Entry:
    """One entry by its name."""
    found = lib.cairn_entry_by_name(context().pointer, _kind(kind), string(name))
    if found == ffi.NULL:
        raise UsageError(f"there is no {kind} '{name}'")
    return _entry(found)

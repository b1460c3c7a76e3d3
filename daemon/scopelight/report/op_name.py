"""The name of an op wherever ops are listed: what it is in jax, its line and phase first, the name in HLO second."""

import posixpath
from typing import Protocol

from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text


class _NamedOp(Protocol):
    @property
    def primitive(self) -> str: ...
    @property
    def phase(self) -> str | None: ...
    @property
    def path(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...


def op_name(op: _NamedOp, name: str) -> tuple[str, str]:
    """``dot_general · decoder.py:48 · backward`` and ``name``, that in HLO; by the latter alone where jax has none."""
    return joined_name(op.primitive, name, place_name(op.path, op.line), op.phase)


def joined_name(primitive: str, name: str, place: str, phase: str | None) -> tuple[str, str]:
    """`op_name` of its parts; ``place`` is empty where it is known from what is around it."""
    parts = (primitive or name, place, phase_name(phase) if phase not in (None, "other") else "")
    return printable(" · ".join(filter(None, parts))), printable(name) if primitive else ""


def place_name(path: str | None, line: int | None) -> str:
    """A line by its file's name, ``decoder.py:48``; empty where none is known."""
    return "" if line is None else f"{posixpath.basename(path or '') or text('(unknown file)')}:{line}"


def phase_name(phase: str | None) -> str:
    """A phase of training in words."""
    return text(phase or "")


def space_name(space: str) -> str:
    """A memory space by the name that people know it by."""
    return text(_SPACES[space]) if space in _SPACES else space.upper()


def bound_by_name(bound_by: str | None) -> str:
    """What an op is bound by, compute or a memory space; empty where that is not known."""
    return "" if not bound_by else text("compute") if bound_by == "compute" else space_name(bound_by)


_PHASES = (template("forward"), template("backward"), template("recompute"), template("optimizer"), template("other"))
"""What phases are called, for translators."""
_SPACES = {"main": template("main memory"), "host": template("host memory"), "other": template("other memory")}

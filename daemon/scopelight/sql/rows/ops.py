"""Ops, and how the time of each is divided among lines."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from scopelight.analysis.ops.records import OpRow
from scopelight.analysis.ops.table import OpEntry, OpTable
from scopelight.analysis.ops.views import table_of
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre
from scopelight.program.hlo.frames import Frame
from scopelight.sql.columns import columns_of
from scopelight.sql.rows.op_numbers import number_of
from scopelight.sql.schema import Columns
from scopelight.sql.tables import TABLES

_OF_OP = tuple(each.name for each in attrs.fields(OpRow))
_FIGURES = ("executions", "self_ps", "wall_ps", "share_ratio")
_UNKNOWN_OUTSIDE = (
    "cpu_ps",
    "least_ps",
    "greatest_ps",
    "mean_ps",
    "flops",
    "model_flops",
    "padded_flops",
    "bytes",
    "flop_utilisation_ratio",
    "bandwidth_utilisation_ratio",
    "bound_by",
    "wasted_ps",
)
"""Fields that an op has none of that did not run in what is looked at."""


def ops(subject: Subject) -> Columns:
    """Those of the scope with their figures, and those that ran outside of it alone."""
    table = table_of(subject)
    inside = {number_of(entry) for entry in table.entries}
    outside = [entry for entry in table_of(subject, scope="window").entries if number_of(entry) not in inside]
    rows = [_row(table.centre, entry) for entry in table.entries]
    rows += [
        _row(table.centre, entry) | dict.fromkeys(_FIGURES, 0) | dict.fromkeys(_UNKNOWN_OUTSIDE) for entry in outside
    ]
    return columns_of(TABLES["ops"].columns[1:], rows)


def op_lines(subject: Subject) -> Columns:
    """The parts of the ops of the scope, and what of each no line took."""
    return columns_of(TABLES["op_lines"].columns[1:], list(_parts(table_of(subject))))


def _row(centre: Centre, entry: OpEntry) -> dict[str, Any]:
    place = entry.charged[0].parts[0].frame if entry.charged[0].parts else None
    return {name: getattr(entry.row, name) for name in _OF_OP} | {
        "op_id": number_of(entry),
        "is_shared": entry.row.shared,
        "line_key": None if place is None else centre.line_key(place),
        "function": None if place is None else place.function,
    }


def _parts(table: OpTable) -> Iterator[Mapping[str, Any]]:
    for entry in table.entries:
        # Hosts that run one op divide it among the same lines.
        parts: dict[str, dict[str, Any]] = {}
        lost = {"op_id": number_of(entry), "self_ps": 0, "wall_ps": 0}
        for charged in entry.charged:
            lost["self_ps"] += charged.lost_ps
            lost["wall_ps"] += charged.lost_wall_ps
            for part in charged.parts:
                key = table.centre.line_key(part.frame)
                row = parts.setdefault(key, _part(table.centre, part.frame, key, part.share_ratio, part.inherited))
                row["op_id"] = number_of(entry)
                row["self_ps"] += part.self_ps
                row["wall_ps"] += part.wall_ps
        yield from parts.values()
        left = 1.0 - sum(each["share_ratio"] for each in parts.values())
        if lost["self_ps"] or lost["wall_ps"] or not parts:
            yield {**lost, "share_ratio": max(0.0, left)}


def _part(centre: Centre, frame: Frame, key: str, share_ratio: float, is_inherited: bool) -> dict[str, Any]:
    return {
        "line_key": key,
        **centre.frames.place_fields(frame),
        "function": frame.function,
        "share_ratio": share_ratio,
        "is_inherited": is_inherited,
        "self_ps": 0,
        "wall_ps": 0,
    }

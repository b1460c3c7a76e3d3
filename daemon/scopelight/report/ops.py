"""The views of ops in the terminal."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from rich.console import Console

from scopelight.analysis.ops.records import (
    FlopsRecord,
    FlopsRow,
    OpProfileRecord,
    OpProfileRow,
    OpRow,
    OpsRecord,
    RooflineRecord,
    RooflineRow,
)
from scopelight.analysis.padding.records import MatrixUnitRecord
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import bar, byte_size, count, duration, flop_rate, share
from scopelight.report.op_name import bound_by_name, op_name, space_name
from scopelight.report.op_sentences import (
    NO_ESTIMATE,
    bandwidth,
    extent_text,
    note_sentences,
    op_time_sentence,
    peak_sentences,
    rate,
    threads_sentence,
    work,
)
from scopelight.report.places import place
from scopelight.report.prediction.marks import timed
from scopelight.report.tables.text_table import WIDEST_NAME, Column, hlo_name, print_view

_INDENT = "  "


class _Deep(Protocol):
    @property
    def depth(self) -> int: ...


_Node = TypeVar("_Node", bound=_Deep)


def render_ops(record: OpsRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the longest ops, one line each."""
    has_times = bool(record.op_time_ps)
    columns: list[Column[OpRow]] = [
        Column("op", lambda row: op_name(row, row.name)[0], most=WIDEST_NAME),
        hlo_name(lambda row: op_name(row, row.name)[1]),
        Column("", lambda row: bar(row.share_ratio) if has_times else ""),
        Column(
            "of op time",
            lambda row: timed(share(row.share_ratio)) if has_times and row.has_estimate else "",
            right=True,
        ),
        Column("per step" if record.steps else "self", lambda row: _self(row) if has_times else "", right=True),
        Column("executions", lambda row: count(row.executions) if has_times else "", right=True),
        Column("FLOP rate", lambda row: _rate(row) if has_times else "", right=True),
        Column("FLOPs", lambda row: "" if has_times else work(row.flops), right=True),
        Column("of peak", lambda row: timed(_ratio(row.flop_utilisation_ratio)), right=True),
        Column("byte rate", lambda row: _bandwidth(row) if has_times else "", right=True),
        Column("bytes", lambda row: "" if has_times else _bytes(row.bytes), right=True),
        Column("of peak", lambda row: timed(_ratio(row.bandwidth_utilisation_ratio)), right=True),
        Column("bound by", lambda row: bound_by_name(row.bound_by)),
        Column("padding", _padding, right=True),
        Column("element type", lambda row: printable(row.element_type)),
        Column("type", lambda row: printable(row.category if row.side == "device" else f"{row.category} ({row.side})")),
        Column("line", lambda row: place(row, base)),
    ]
    shown = record.rows[:limit]
    heads = [op_time_sentence(record, record.op_time_ps, record.extent)] if has_times else []
    heads.extend(_padding_against(record.matrix_unit, [row.padded_flops != row.flops for row in record.rows]))
    footer = []
    if shown and has_times:
        held = sum(row.self_ps for row in shown)
        footer.append(
            f"{len(shown)} of {len(record.rows)} ops: {timed(share(held / record.op_time_ps))} of the op time."
        )
        footer.extend(threads_sentence(record.op_time_ps, record.extent))
        footer.extend(note_sentences(shown))
    elif shown:
        footer.append(f"{len(shown)} of {len(record.rows)} ops, those with the most FLOPs first.")
    print_view(console, [*heads, *peak_sentences(record.peaks)], columns, shown, footer, record.findings)


def render_op_profile(record: OpProfileRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the longest nodes of the tree, each below what it is in."""
    # Waiting is no node of a category: what is shown is of the op time, as in the other views.
    nodes = [row for row in record.rows if row.kind not in ("idle", "element")]
    whole_ps = max(1, record.op_time_ps)

    def own_ps(row: OpProfileRow) -> int:
        return record.op_time_ps if row.kind == "total" else row.self_ps or 0

    columns: list[Column[OpProfileRow]] = [
        Column(
            record.grouping if record.grouping != "line" else "line of source",
            lambda row: _node(row)[0],
            most=WIDEST_NAME * 2,
        ),
        hlo_name(lambda row: _node(row)[1]),
        Column("", lambda row: bar(own_ps(row) / whole_ps)),
        Column("of op time", lambda row: timed(share(own_ps(row) / whole_ps)), right=True),
        Column("self", lambda row: _time(own_ps(row)) if row.has_estimate else text(NO_ESTIMATE), right=True),
        Column("wasted", _wasted, right=True),
        Column("FLOP rate", _rate, right=True),
        Column(
            "of peak",
            lambda row: timed(_ratio(row.flop_utilisation_ratio, is_least=row.utilisation_is_least)),
            right=True,
        ),
        Column("byte rate", _bandwidth, right=True),
        Column("of peak", lambda row: timed(_ratio(row.bandwidth_utilisation_ratio)), right=True),
        Column("bound by", lambda row: bound_by_name(row.bound_by)),
        Column("line", lambda row: place(row, base) if row.kind == "op" else ""),
    ]
    heads = []
    if nodes:
        over = extent_text(record.extent)
        head = f"{duration(record.op_time_ps)} of op time by {record.grouping} over {over}"
        # In a prediction nothing idles.
        heads.append(head if record.predicted_for is not None else f"{head}; {_idle(record)}")
    shown = _greatest(nodes, limit, own_ps)
    print_view(console, heads, columns, shown, threads_sentence(record.op_time_ps, record.extent), record.findings)


def render_flops(record: FlopsRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the model, and the scopes and ops with the most FLOPs, each below what it is in."""
    whole = record.rows[0].flops if record.rows else None
    steps = max(1, record.steps)
    columns: list[Column[FlopsRow]] = [
        Column("scope or op", lambda row: _node(row)[0], most=WIDEST_NAME * 2),
        hlo_name(lambda row: _node(row)[1]),
        Column("", lambda row: bar((row.flops or 0) / whole) if whole else ""),
        Column("FLOPs", lambda row: work(None if row.flops is None else row.flops // steps), right=True),
        Column("rate", lambda row: timed(flop_rate(row.flops_per_s)) if row.flops_per_s else "", right=True),
        Column("MFU", lambda row: timed(_ratio(row.mfu_ratio, is_least=row.utilisation_is_least)), right=True),
        Column("HFU", lambda row: timed(_ratio(row.hfu_ratio, is_least=row.utilisation_is_least)), right=True),
        Column("padding", lambda row: _ratio(row.padding_waste_ratio), right=True),
        Column("recompute", lambda row: _ratio(row.recompute_ratio) if row.recompute_ratio else "", right=True),
        # A time over all steps and devices would stand beside FLOPs of one step.
        Column("unknown", lambda row: timed(share(row.unknown_ps / row.self_ps)) if row.unknown_ps else "", right=True),
        Column("line", lambda row: place(row, base) if row.kind == "op" else ""),
    ]
    heads = []
    if record.wall_ps:
        per_step = " per step" if record.steps else ""
        devices = record.extent.devices
        of_each = f"; FLOPs of {devices} devices together, rates of each" if devices > 1 else ""
        heads.append(f"FLOPs{per_step}, rates against the wall clock of {extent_text(record.extent)}{of_each}")
    heads.extend(_padding_against(record.matrix_unit, [bool(row.padding_waste_ratio) for row in record.rows]))
    shown = _greatest(record.rows, limit, lambda row: row.flops or 0)
    print_view(console, [*heads, *peak_sentences(record.peaks)], columns, shown, (), record.findings)


def render_roofline(record: RooflineRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print programs, then the longest ops, each with what its intensity allows."""
    columns: list[Column[RooflineRow]] = [
        Column("op or program", lambda row: _point(row)[0], most=WIDEST_NAME),
        hlo_name(lambda row: _point(row)[1]),
        Column("space", lambda row: space_name(row.space)),
        Column("type", lambda row: printable(row.element_type)),
        Column("of op time", lambda row: timed(share(row.share_ratio)), right=True),
        Column("FLOP/byte", lambda row: f"{row.intensity_flops_per_byte:.3g}", right=True),
        Column("FLOP rate", lambda row: timed(flop_rate(row.flops_per_s)), right=True),
        Column(
            "limit",
            lambda row: flop_rate(row.limit_flops_per_s) if row.limit_flops_per_s is not None else "",
            right=True,
        ),
        Column("bandwidth", lambda row: bandwidth(row.bytes, round(row.bytes / row.bytes_per_s * 10**12)), right=True),
        Column(
            "efficiency", lambda row: timed(_ratio(row.efficiency_ratio, is_least=row.utilisation_is_least)), right=True
        ),
        Column("bound by", lambda row: bound_by_name(row.bound_by)),
        Column("line", lambda row: place(row, base)),
    ]
    # Programs first; else in the record's order.
    shown = sorted(record.rows, key=lambda row: row.kind != "program")[:limit]
    extents = [f"FLOPs, bytes and time over {extent_text(record.extent)}"] if shown else []
    roofs = [
        f"Ridge of {roof.element_type} and {space_name(roof.space)}: {roof.ridge_flops_per_byte:.3g} FLOP/byte"
        for roof in record.roofs
    ]
    footer = []
    if record.unknown_ps and record.op_time_ps:
        unknown = timed(share(record.unknown_ps / record.op_time_ps))
        footer.append(f"{unknown} of the op time went to ops that compute nothing, or whose FLOPs are not known.")
    print_view(console, [*extents, *peak_sentences(record.peaks), *roofs], columns, shown, footer, record.findings)


def _node(row: OpProfileRow | FlopsRow) -> tuple[str, str]:
    """The two columns of a node's name; only ops have one in HLO."""
    label, hlo = op_name(row, row.label) if row.kind == "op" else (printable(row.label), "")
    return f"{_INDENT * row.depth}{label}", hlo


def _point(row: RooflineRow) -> tuple[str, str]:
    return op_name(row, row.label) if row.kind == "op" else (printable(f"program {row.label}"), "")


def _self(row: OpRow) -> str:
    if not row.has_estimate:
        return text(NO_ESTIMATE)
    return _time(row.self_ps if row.per_step_ps is None else row.per_step_ps)


def _idle(record: OpProfileRecord) -> str:
    """``77.5 s of the wall clock idle (19.7 %)``."""
    wall = record.wall
    if wall is None:
        return ""
    idle = f"{duration(wall.idle_ps)} of the wall clock idle ({share(wall.idle_ps / max(1, wall.wall_ps))})"
    devices = record.extent.devices
    return idle if devices <= 1 else f"{idle}, both of {devices} devices together"


def _wasted(row: OpProfileRow) -> str:
    """At least so much, where it is not known of all of the time."""
    if row.wasted_ps is None:
        return ""
    return f"{'≥ ' if row.wasted_is_least else ''}{_time(row.wasted_ps)}"


def _padding_against(unit: MatrixUnitRecord | None, pads: Iterable[bool]) -> Iterator[str]:
    if unit is None or not (unit.basis == "predicted" or any(pads)):
        return
    sides = f"a matrix unit of {unit.rows} x {unit.columns}"
    if unit.basis == "predicted":
        yield f"Padding predicted for {unit.device}, the target, with {sides}"
    else:
        yield f"Padding against {sides}, {'that is assumed' if unit.device is None else f'that of {unit.device}'}"


def _padding(row: OpRow) -> str:
    """The share of the FLOPs with padding that is padding; nothing where none is known."""
    return share(1 - row.flops / row.padded_flops) if row.flops and row.padded_flops else ""


def _greatest(rows: Sequence[_Node], limit: int, amount: Callable[[_Node], int]) -> list[_Node]:
    """The rows with the greatest amounts, in their order. A parent is never smaller, so that it is there too."""
    order = sorted(range(len(rows)), key=lambda place: (-amount(rows[place]), rows[place].depth, place))
    return [rows[place] for place in sorted(order[:limit])]


def _rate(row: OpRow | OpProfileRow) -> str:
    return "" if row.asynchronous else rate(row.flops, row.wall_ps)


def _bandwidth(row: OpRow | OpProfileRow) -> str:
    return "" if row.asynchronous else bandwidth(row.bytes, row.wall_ps)


def _ratio(ratio: float | None, *, is_least: bool = False) -> str:
    return "" if ratio is None else f"{'≥ ' if is_least else ''}{share(ratio)}"


def _time(time_ps: int) -> str:
    return duration(time_ps) if time_ps else "–"


def _bytes(amount: int | None) -> str:
    return "?" if amount is None else byte_size(amount) if amount else "–"

"""The ops of a line, one line of text each, so narrow that the pointer's card breaks none of them."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.records import LineOpRecord, LineRecord
from scopelight.report.card.fitting import columns_of, fitted, padded
from scopelight.report.card.places import places_text
from scopelight.report.foreign_text import markdown_code, markdown_lines, printable, shortened
from scopelight.report.language import template, text
from scopelight.report.numbers import byte_rate, flop_rate, share, whole_share
from scopelight.report.op_name import bound_by_name
from scopelight.report.prediction.marks import are_times_predicted, timed

MOST_OPS: Final = 3
_GAP: Final = "  "
_PS_PER_S: Final = 10**12
_MOST_OPERANDS: Final = 4
_ELASTIC: Final = (0, 1, 2)
"""Columns of names in jax, names in HLO, and shapes; figures follow."""
_SHAPE: Final = 2
_RATE: Final = 4
_RIGHT: Final = frozenset((3, _RATE))


class _Layout(NamedTuple):
    """What columns are called, but that of rates, and their widths; no line takes more columns than ``most``.

    Names and shapes have at least ``narrowest``, and each gets its ``usual`` width before one has more. Titles and
    figures take at most ``widest``: beside them the narrowest names have room.
    """

    titles: tuple[str, ...]
    widest: tuple[int, ...]
    narrowest: tuple[int, ...]
    usual: tuple[int, ...]
    most: int


_MEASURED: Final = _Layout(
    titles=(template("op"), "", template("shape"), template("of line"), "", template("bound by")),
    widest=(8, 8, 8, 8, 22, 9),
    narrowest=(12, 8, 11),
    usual=(18, 14, 22),
    most=80,
)
_PREDICTED: Final = _Layout(
    titles=(template("op"), "", template("shape"), template("of line"), ""),
    widest=(8, 8, 8, 8, 17),
    narrowest=(10, 7, 10),
    usual=(15, 10, 14),
    most=60,
)
"""So narrow that nothing is broken beside the panel that is open after a prediction. Rates are in the panels."""
_PHASE_MARKS: Final = {
    "forward": template("fwd"),
    "backward": template("bwd"),
    "recompute": template("rec"),
    "optimizer": template("opt"),
}


class _Row(NamedTuple):
    """Cells of an op; its ``shape`` alone where there is no room for those of its operands as well.

    ``has_rate`` and ``has_share`` tell what stands in the column of rates.
    """

    cells: tuple[str, ...]
    shape: str
    has_rate: bool
    has_share: bool


def op_lines(line: LineRecord, costs: LineCosts | None) -> str:
    """A block of text: a header, and a line for each of the ops that took longest, none wider than its layout says.

    What jax calls an op, what HLO does, its shapes, what of the line it is, its rate and the share of the peak, and
    what it is bound by; of a prediction the share without the rate. Names that are too long lose their middle.
    """
    layout = _PREDICTED if are_times_predicted() else _MEASURED
    ops = line.ops[:MOST_OPS]
    has_phases = len({op.phase for op in line.ops}) > 1
    rows = [_row(op, line, costs, layout, with_phase=has_phases) for op in ops]
    shown = [column for column in range(len(layout.titles)) if any(row.cells[column] for row in rows)]
    titles = [text(each) if each else "" for each in layout.titles]
    titles[_RATE] = _title_of_rates(rows)
    header = [fitted(title, most) for title, most in zip(titles, layout.widest, strict=True)]
    widths = _widths(rows, header, shown, layout)
    lines = [tuple(header)]
    for row in rows:
        cells = list(row.cells)
        if columns_of(cells[_SHAPE]) > widths[_SHAPE]:
            cells[_SHAPE] = row.shape
        lines.append(tuple(fitted(cell, width) for cell, width in zip(cells, widths, strict=True)))
    taken = [max(map(columns_of, column)) for column in zip(*lines, strict=True)]
    return markdown_lines([_joined(cells, taken, shown) for cells in lines], "text")


def _title_of_rates(rows: Sequence[_Row]) -> str:
    has_rates = any(row.has_rate for row in rows)
    if not any(row.has_share for row in rows):
        return text("rate")
    return text("rate, of peak") if has_rates else text("of peak")


def beside_ops(line: LineRecord, ops_link: str | None) -> str:
    """Which of the ops have a part in other lines, and how many more there are; empty where there is nothing to say."""
    facts = [_shared(op, line) for op in line.ops[:MOST_OPS] if op.shared_with or op.inherited]
    rest = line.ops[MOST_OPS:]
    if rest:
        more = text("and {number} more", number=len(rest))
        if line.self_ps:
            more += f", {timed(share(sum(op.self_ps for op in rest) / line.self_ps))}"
        facts.append(f"[*{more}*]({ops_link})" if ops_link else f"*{more}*")
    return " · ".join(facts)


def _row(op: LineOpRecord, line: LineRecord, costs: LineCosts | None, layout: _Layout, *, with_phase: bool) -> _Row:
    name = printable(op.primitive or op.name).strip()
    if with_phase and op.phase in _PHASE_MARKS:
        name = f"{fitted(name, layout.usual[0])} {text(_PHASE_MARKS[op.phase])}"
    shape = printable(op.shape).strip()
    of_line = ""
    if not op.has_estimate:
        of_line = text("unknown")
    elif line.self_ps:
        of_line = timed(share(op.self_ps / line.self_ps), is_estimated=op.shared or op.inherited)
    hlo = printable(op.name).strip() if op.primitive else ""
    rate, of_peak, bound_by = _figures(op, costs)
    held: tuple[str, ...]
    if layout is _PREDICTED:
        rate = "" if of_peak else rate
        held = (" ".join(filter(None, (of_peak or rate, bound_by))),)
    else:
        held = (", ".join(filter(None, (rate, of_peak))), bound_by)
    figures = zip((of_line, *held), layout.widest[_SHAPE + 1 :], strict=True)
    cells = (name, hlo, _shapes(op, shape), *(fitted(printable(said), most) for said, most in figures))
    return _Row(cells, shape, has_rate=bool(rate), has_share=bool(of_peak))


def _shapes(op: LineOpRecord, shape: str) -> str:
    """Result and operands: ``f32[8,4] ← f32[8,2], f32[2,4]``; empty where the profile has no HLO."""
    operands = [printable(each).strip() for each in op.operand_shapes[:_MOST_OPERANDS]]
    if len(op.operand_shapes) > _MOST_OPERANDS:
        operands.append("…")
    return f"{shape} ← {', '.join(operands)}" if shape and operands else shape


def _figures(op: LineOpRecord, costs: LineCosts | None) -> tuple[str, str, str]:
    """The rate of what the op is bound by, its share of the peak, and what that is; empty where it is not known."""
    row = costs.op(op) if costs is not None else None
    if row is None or row.asynchronous:
        return ("", "", "")
    moved = row.bytes_by_space.get("main")
    rate, peak_ratio = "", row.flop_utilisation_ratio
    if row.wall_ps and row.flops and row.bound_by in (None, "compute"):
        rate = timed(flop_rate(row.flops * _PS_PER_S / row.wall_ps))
    elif row.wall_ps and moved and row.bound_by != "compute":
        rate, peak_ratio = timed(byte_rate(moved * _PS_PER_S / row.wall_ps)), row.bandwidth_utilisation_ratio
    of_peak = timed(whole_share(peak_ratio)) if rate and peak_ratio is not None else ""
    return (rate, of_peak, text("memory") if row.bound_by == "main" else bound_by_name(row.bound_by))


def _widths(rows: Sequence[_Row], header: Sequence[str], shown: Sequence[int], layout: _Layout) -> list[int]:
    """Widths of all columns: figures have what they need, and the rest is divided among names and shapes."""
    cells = zip(header, *(row.cells for row in rows), strict=True)
    widths = [max(map(columns_of, column)) for column in cells]
    fixed = sum(widths[column] for column in shown if column not in _ELASTIC) + len(_GAP) * (len(shown) - 1)
    rooms = {column: min(widths[column], layout.narrowest[column]) for column in _ELASTIC if column in shown}
    spare = layout.most - fixed - sum(rooms.values())
    alone = max(columns_of(row.shape) for row in rows)
    usual = [
        (column, min(most, layout.usual[column])) for column, most in ((0, widths[0]), (_SHAPE, alone), (1, widths[1]))
    ]
    for column, most in (*usual, (0, widths[0]), (_SHAPE, alone), (1, widths[1]), (_SHAPE, widths[_SHAPE])):
        if column in rooms:
            more = max(0, min(spare, most - rooms[column]))
            rooms[column] += more
            spare -= more
    return [rooms.get(column, width) for column, width in enumerate(widths)]


def _joined(cells: Sequence[str], widths: Sequence[int], shown: Sequence[int]) -> str:
    return _GAP.join(padded(cells[column], widths[column], right=column in _RIGHT) for column in shown).rstrip()


def _shared(op: LineOpRecord, line: LineRecord) -> str:
    name = markdown_code(shortened(op.name))
    return f"{name}: {', '.join(_divided(op, line))}"


def _divided(op: LineOpRecord, line: LineRecord) -> Iterator[str]:
    if op.shared_with:
        yield text("*shared with {places}*", places=places_text(op.shared_with, line))
    if op.inherited:
        yield text("*inherited*")

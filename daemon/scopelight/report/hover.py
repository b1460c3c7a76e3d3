"""The hover card of a line, as Markdown: numbers first, then its phases, its ops, and where to go from here."""

from collections.abc import Sequence

from scopelight.analysis.records import LineOpRecord, LineRecord, LinesRecord, PlaceRecord
from scopelight.report.annotations import is_estimated, time_text
from scopelight.report.foreign_text import markdown_block, markdown_code, markdown_text, shortened
from scopelight.report.markdown_table import markdown_table
from scopelight.report.numbers import count, duration, share

_MOST_OPS = 5
_MOST_OPERANDS = 4
_MOST_PLACES = 6
_STALE = "*Edited since it was measured: the numbers are of the line as it was.*"
_PHASES = (
    ("forward", "forward_ps"),
    ("backward", "backward_ps"),
    ("recompute", "recompute_ps"),
    ("optimizer", "optimizer_ps"),
    ("other", "other_ps"),
)


def hover_card(
    line: LineRecord,
    record: LinesRecord,
    *,
    stale: bool = False,
    recorded_text: str | None = None,
    links: Sequence[str] = (),
) -> str:
    """The card of ``line``; ``links`` are ready Markdown.

    A ``stale`` card says so first and shows the ``recorded_text`` that was measured, where it is known. Everything
    that comes from the profile is escaped.
    """
    parts = []
    if stale:
        parts.append(_STALE)
        if recorded_text is not None:
            parts.append(markdown_block(recorded_text))
    parts.append(_first_line(line, record))
    if line.other_ps != line.self_ps:
        # A program that does not train has no phases to tell apart.
        parts.append(_phase_table(line))
    if line.ops:
        parts.append(_op_table(line))
    if links:
        parts.append(" · ".join(links))
    return "\n\n".join(parts) + "\n"


def _first_line(line: LineRecord, record: LinesRecord) -> str:
    """Share, time per step with its spread, executions per step; then what the calls of the line hold."""
    whole_ps = max(1, record.op_time_ps)
    facts = []
    if line.self_ps:
        estimated = "≈" if is_estimated(line) else ""
        facts.append(f"**{estimated}{share(line.self_ps / whole_ps)}** of op time")
        facts.append(_self_time(line))
        if line.executions_per_step:
            facts.append(f"{_times(line.executions_per_step)}/step")
        else:
            facts.append(_times(line.executions))
    if line.inclusive_ps > line.self_ps:
        inclusive = share(line.inclusive_ps / whole_ps)
        time = time_text(line.inclusive_ps, line.inclusive_per_step_ps)
        facts.append(f"{inclusive} ({time}) inclusive" if facts else f"**{inclusive}** of op time inclusive · {time}")
    return " · ".join(facts)


def _self_time(line: LineRecord) -> str:
    has_spread = line.per_step_ps and line.per_step_spread_ps is not None
    spread = f" ± {duration(line.per_step_spread_ps or 0)}" if has_spread else ""
    return f"{time_text(line.self_ps, line.per_step_ps)}{spread}"


def _times(number: float) -> str:
    return f"{count(number)} execution{'' if number == 1 else 's'}"


def _phase_table(line: LineRecord) -> str:
    phases = [(name, getattr(line, field)) for name, field in _PHASES if getattr(line, field)]
    return markdown_table(
        ("", *(name for name, _ in phases)),
        (
            ("of the line", *(share(time_ps / line.self_ps) for _, time_ps in phases)),
            ("in the window", *(duration(time_ps) for _, time_ps in phases)),
        ),
        right=range(1, len(phases) + 1),
    )


def _op_table(line: LineRecord) -> str:
    rows: list[tuple[str, ...]] = []
    for op in line.ops[:_MOST_OPS]:
        ratio = op.self_ps / line.self_ps if line.self_ps else 0.0
        estimated = "≈" if op.shared or op.inherited else ""
        name = markdown_code(shortened(op.primitive or op.name))
        kind = markdown_text(shortened(op.category))
        rows.append((name, kind, _shapes(op), f"{estimated}{share(ratio)}", _shared(op, line)))
    rest = line.ops[_MOST_OPS:]
    if rest:
        ratio = sum(op.self_ps for op in rest) / line.self_ps if line.self_ps else 0.0
        rows.append((f"{len(rest)} more", "", "", share(ratio), ""))
    columns: tuple[str, ...] = ("op", "kind", "shape", "of the line", "")
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return markdown_table(columns, rows, right=(3,))


def _shapes(op: LineOpRecord) -> str:
    """Result and operands: ``f32[8,4] ← f32[8,2], f32[2,4]``; empty where the profile has no HLO."""
    if not op.shape:
        return ""
    operands = [shortened(each) for each in op.operand_shapes[:_MOST_OPERANDS]]
    if len(op.operand_shapes) > _MOST_OPERANDS:
        operands.append("…")
    result = shortened(op.shape)
    return markdown_code(f"{result} ← {', '.join(operands)}" if operands else result)


def _shared(op: LineOpRecord, line: LineRecord) -> str:
    facts = []
    if op.shared_with:
        facts.append(f"*shared with {_places(op.shared_with, line)}*")
    if op.inherited:
        facts.append("*inherited*")
    return ", ".join(facts)


def _places(places: Sequence[PlaceRecord], line: LineRecord) -> str:
    """``line 41``, ``lines 41, 43``, ``decoder.py:7``: numbers alone are of the card's own file."""
    shown = places[:_MOST_PLACES]
    here = [str(place.line) for place in shown if place.path == line.path]
    named = [f"line{'s' if len(here) > 1 else ''} {', '.join(here)}"] if here else []
    for place in shown:
        if place.path != line.path:
            named.append(markdown_text(f"{place.path or '(unknown file)'}:{place.line}"))
    if len(places) > len(shown):
        named.append(f"{len(places) - len(shown)} more")
    return ", ".join(named)

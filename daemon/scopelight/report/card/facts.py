"""All facts of a line, as Markdown to be copied: its numbers, then its phases, its ops, and what it has in memory."""

from collections.abc import Callable

from scopelight.analysis.lines.costs import LineCosts, wasteful
from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.analysis.records import PHASE_NAMES, LineOpRecord, LineRecord, LinesRecord
from scopelight.report.annotations import is_estimated, time_text
from scopelight.report.card.findings import LEAST_SHARE_RATIO, LEAST_WASTE_RATIO, notes_on, padding_findings
from scopelight.report.card.places import places_text
from scopelight.report.card.sentence import NOTHING_RAN, in_few_steps
from scopelight.report.card.waiting import waiting_paragraphs
from scopelight.report.cost_text import cost_facts, padding_fact, per_step, prediction_for
from scopelight.report.foreign_text import markdown_code, markdown_text, shortened
from scopelight.report.host.waiting import inclusive_whole_ps, whole_ps
from scopelight.report.language import template, text
from scopelight.report.memory.sentences import memory_paragraph, memory_table
from scopelight.report.numbers import byte_rate, count, duration, flop_rate, share, whole_share
from scopelight.report.op_name import bound_by_name, joined_name, phase_name
from scopelight.report.op_sentences import NO_ESTIMATE
from scopelight.report.padding_sentences import padding_facts
from scopelight.report.prediction.fact import prediction_fact
from scopelight.report.prediction.marks import are_times_predicted, marked, timed
from scopelight.report.sentences import whole_of
from scopelight.report.tables.markdown_table import markdown_table

_MOST_OPS = 5
_MOST_OPERANDS = 4
_PS_PER_S = 10**12
_COLUMNS = (
    template("op"),
    template("kind"),
    template("shape"),
    template("of the line"),
    template("FLOP rate"),
    template("main memory"),
    template("bound by"),
    template("padding"),
    "",
)
_OF_PEAK = {4: template("FLOP rate, of peak"), 5: template("main memory, of peak")}
"""Headers of columns that have shares of the peak."""
_ALWAYS = 3
"""So many columns are there even where they are empty."""
_PADDING = 7
_RIGHT = frozenset((3, 4, 5))
_NO_FIGURES = ("",) * 4


@marked
def line_card(
    line: LineRecord,
    record: LinesRecord,
    costs: LineCosts | None = None,
    memory: LineMemory | None = None,
    row: int = 0,
) -> str:
    """The facts of ``line``, a paragraph or a table for each kind of them.

    ``costs`` gives FLOPs, rates and padding, those of the line as its ``row``, and what is wrong. ``memory`` gives what
    the line has in memory at the peak. Everything that comes from the profile is escaped.
    """
    parts: list[str] = []
    fact = prediction_fact(record)
    if fact is not None:
        parts.append(fact)
    if line.inclusive_ps or line.waiting_inclusive_ps:
        parts.append(_first_line(line, record))
        parts.extend(waiting_paragraphs(line, record))
    elif line.ops and not line.executions:
        parts.append(text(NOTHING_RAN))
    if costs is not None:
        target = markdown_text(costs.target or "")
        facts = [*cost_facts(costs.of(row)), *padding_fact(costs.padding(row), target)]
        if facts:
            parts.append(" · ".join(facts))
    if line.self_ps and line.other_ps != line.self_ps:
        # A program that does not train has no phases to tell apart.
        parts.append(_phase_table(line, record))
    if line.ops:
        parts.append(_op_table(line, costs))
    in_memory = memory.of(line) if memory is not None else None
    if memory is not None and in_memory is not None:
        parts.append(memory_paragraph(in_memory, memory))
        parts.append(memory_table(in_memory))
    if costs is not None:
        worst = wasteful(costs.padding(row), LEAST_WASTE_RATIO, LEAST_SHARE_RATIO)
        parts.extend(padding_findings(worst, costs))
        parts.extend(notes_on(line.ops[:_MOST_OPS], costs))
    return "\n\n".join(parts) + "\n"


def _first_line(line: LineRecord, record: LinesRecord) -> str:
    """Share, time per step with its spread, executions per step; then what the calls of the line hold."""
    facts = []
    of_whole = whole_of(record.extent)
    if line.self_ps or line.waiting_ps:
        own = timed(share(line.share_ratio), is_estimated=is_estimated(line))
        facts.append(text("**{share}** {of_whole}", share=own, of_whole=of_whole))
        facts.append(_time(line))
        if line.few_steps is not None:
            facts.append(in_few_steps(line, record))
    if line.self_ps:
        if line.self_ps != line.wall_ps:
            facts.append(text("{time} of op time", time=time_text(line.self_ps, line.op_time_per_step_ps)))
        if line.executions_per_step:
            facts.append(per_step(_times(line.executions_per_step)))
        else:
            facts.append(_times(line.executions))
    if line.inclusive_ps > line.self_ps or line.waiting_inclusive_ps > line.waiting_ps:
        inclusive = timed(share(line.inclusive_share_ratio))
        time = time_text(inclusive_whole_ps(line), line.inclusive_per_step_ps)
        facts.append(
            text(
                "{share} ({time}) inclusive" if facts else "**{share}** {of_whole} inclusive · {time}",
                share=inclusive,
                time=time,
                of_whole=of_whole,
            )
        )
    return " · ".join(facts)


def _time(line: LineRecord) -> str:
    spread_ps = line.per_step_spread_ps
    # All steps of a prediction are alike.
    has_spread = line.per_step_ps and spread_ps is not None and (spread_ps > 0 or not are_times_predicted())
    spread = f" ± {duration(line.per_step_spread_ps or 0)}" if has_spread else ""
    return f"{time_text(whole_ps(line), line.per_step_ps)}{spread}"


def _times(number: float) -> str:
    return text("1 execution" if number == 1 else "{number} executions", number=count(number))


def _phase_table(line: LineRecord, record: LinesRecord) -> str:
    steps = max(1, record.extent.steps * record.extent.devices)
    phases = [(phase_name(name), time_ps) for name in PHASE_NAMES if (time_ps := getattr(line, f"{name}_ps"))]
    return markdown_table(
        ("", *(name for name, _ in phases)),
        (
            (text("of the line"), *(timed(share(time_ps / line.self_ps)) for _, time_ps in phases)),
            (
                text("op time per step" if record.extent.steps else "op time"),
                *(duration(time_ps / steps) for _, time_ps in phases),
            ),
        ),
        right=range(1, len(phases) + 1),
    )


def _op_table(line: LineRecord, costs: LineCosts | None) -> str:
    rows: list[tuple[str, ...]] = []
    for op in line.ops[:_MOST_OPS]:
        name = _op_name(op)
        kind = markdown_text(shortened(op.category))
        figures = _figures(op, line, costs)
        rows.append((name, kind, _shapes(op), _of_line(op, line), *figures, _shared(op, line)))
    rest = line.ops[_MOST_OPS:]
    if rest:
        ratio = timed(share(sum(op.self_ps for op in rest) / line.self_ps)) if line.self_ps else ""
        rows.append((text("{number} more", number=len(rest)), "", "", ratio, *_NO_FIGURES, ""))
    header = [text(each) if each else "" for each in _COLUMNS]
    for column, of_peak in _OF_PEAK.items():
        # A rate has a share beside it where the device's peak is known.
        if any(", " in row[column] for row in rows):
            header[column] = text(of_peak)
    if costs is not None and any(row.predicted for op in line.ops for row in costs.padding_of(op, line)):
        header[_PADDING] += f", {markdown_text(prediction_for(costs.target))}"
    return markdown_table(header, rows, right=_RIGHT, optional=range(_ALWAYS, len(header)))


def _op_name(op: LineOpRecord) -> str:
    """``dot_general · backward, fusion.3``: the card is of its line."""
    names = joined_name(op.primitive, op.name, "", op.phase)
    return ", ".join(markdown_code(shortened(each)) for each in names if each)


def _of_line(op: LineOpRecord, line: LineRecord) -> str:
    """The op's share of its line; empty where nothing ran."""
    if not op.has_estimate:
        return text(NO_ESTIMATE)
    if not line.self_ps:
        return ""
    return timed(share(op.self_ps / line.self_ps), is_estimated=op.shared or op.inherited)


def _figures(op: LineOpRecord, line: LineRecord, costs: LineCosts | None) -> tuple[str, ...]:
    """Rate, bandwidth, what the op is bound by, and padding, as far as they are known."""
    if costs is None:
        return _NO_FIGURES
    row = costs.op(op)
    if row is None or row.asynchronous:
        return (*_NO_FIGURES[:-1], _padding(op, line, costs))
    return (
        _held(row.flops, row.wall_ps, row.flop_utilisation_ratio, flop_rate),
        _held(row.bytes_by_space.get("main"), row.wall_ps, row.bandwidth_utilisation_ratio, byte_rate),
        markdown_text(bound_by_name(row.bound_by)),
        _padding(op, line, costs),
    )


def _held(quantity: int | None, wall_ps: int, peak_ratio: float | None, rate: Callable[[float], str]) -> str:
    """A rate, and its share of the device's peak: ``412 GFLOP/s, 41 %``."""
    if not quantity or not wall_ps:
        return ""
    reached = timed(rate(quantity * _PS_PER_S / wall_ps))
    return reached if peak_ratio is None else f"{reached}, {timed(whole_share(peak_ratio))}"


def _padding(op: LineOpRecord, line: LineRecord, costs: LineCosts) -> str:
    rows = costs.padding_of(op, line)
    if not rows:
        return ""
    worst = min(rows, key=lambda row: row.used_ratio)
    return padding_facts(worst)


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
        facts.append(text("*shared with {places}*", places=places_text(op.shared_with, line)))
    if op.inherited:
        facts.append(text("*inherited*"))
    return ", ".join(facts)

"""``line_detail``: all that is known of one line."""

from collections.abc import Iterator
from typing import Annotated, Any

import attrs

from scopelight.agents.answer import Answer, Section, ToolError
from scopelight.agents.desk import Asked, of_all
from scopelight.agents.findings import advice_said, all_said, profile_warnings
from scopelight.agents.foreign import function_name, place_name, plain_place, quoted
from scopelight.agents.lines import call_of_line, line_named, place_named, place_of, row_data, text_of, what_of
from scopelight.agents.tool import OfRun
from scopelight.agents.tools.timeless_line import without_time
from scopelight.analysis.advice.records import Advice, AdviceRecord
from scopelight.analysis.lines.costs import LineCosts, wasteful
from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.analysis.options import Option
from scopelight.analysis.records import LineOpRecord, LineRecord, LinesRecord
from scopelight.report.annotations import is_estimated, time_text
from scopelight.report.card.findings import LEAST_SHARE_RATIO, LEAST_WASTE_RATIO
from scopelight.report.card.sentence import sentence
from scopelight.report.cost_text import cost_facts, padding_fact
from scopelight.report.host.waiting import (
    exposures_text,
    is_mostly_waiting,
    meanwhile_text,
    shares_text,
    waits_text,
    whole_ps,
)
from scopelight.report.numbers import byte_rate, byte_size, duration, flop_rate, share, whole_share
from scopelight.report.op_name import bound_by_name, phase_name
from scopelight.report.padding_sentences import padding_sentence
from scopelight.report.prediction.around import sentences_of_prediction
from scopelight.report.prediction.marks import timed
from scopelight.report.sentences import whole_of

_MOST_OPS = 8
_MOST_OPERANDS = 3
_MOST_PLACES = 4
_MOST_PADDINGS = 2
_PS_PER_S = 10**12


@attrs.frozen
class LineDetailOptions(OfRun):
    """Which line."""

    line: Annotated[str, Option("The line as file:line, such as train.py:48; the end of the path is enough.")] = (
        attrs.field(kw_only=True)
    )


def line_detail(asked: Asked[LineDetailOptions]) -> Answer:
    """What a person reads of a line in the editor's card, and what is advised on it."""
    record: LinesRecord = asked.own_record()
    try:
        line = line_named(asked, record, asked.options.line)
    except ToolError:
        timeless = without_time(asked, *place_named(asked.options.line))
        if timeless is None:
            raise
        return timeless
    row = record.lines.index(line)
    costs = LineCosts(record, asked.record("ops"), asked.record("padding"))
    where = place_name(line, asked.base)
    said = [f"{where}{_in_function(line)}{_quoting(asked, line)}", *sentences_of_prediction(record.findings)]
    told = sentence(line, record, costs, row)
    said.extend([told.replace("**", "")] if told else [])
    said.extend(_facts(line, record, costs, row))
    ops = [_op(op, line, costs) for op in line.ops[:_MOST_OPS]]
    sections = [Section(said)]
    advised = _advised(asked, line)
    if advised:
        sections.append(Section([], [f"advice {each.code}: {advice_said(each)}" for each in advised]))
    if ops:
        left_out = len(line.ops) - len(ops)
        sections.append(Section(["Its ops, longest first:"], ops, lambda left: _rest(line, left), left_out))
    sections.append(Section((), list(_beside(asked, line, record, costs, row))))
    sections.append(profile_warnings(asked.subject()))
    data = {
        **row_data(asked, line),
        "inclusive_share_ratio": round(line.inclusive_share_ratio, 5),
        "self_ps": line.self_ps,
        "phases_ps": {
            name: getattr(line, f"{name}_ps") for name in ("forward", "backward", "recompute", "optimizer", "other")
        },
        "executions_per_step": line.executions_per_step,
        "ops": [_op_data(op, costs) for op in line.ops],
        "exposed_by": [
            {"line": _name(each.path, each.line), "waiting_ps": each.waiting_ps} for each in line.exposed_by
        ],
        "advice": [{"code": each.code, "text": advice_said(each)} for each in advised],
        "text": said[1:],
    }
    return Answer(sections, data, _next(asked, line, record, advised), place_of(line))


def _next(asked: Asked[LineDetailOptions], line: LineRecord, record: LinesRecord, advised: list[Advice]) -> str:
    if line.ops and not is_mostly_waiting(line):
        return asked.call("op_detail", op=quoted(line.ops[0].name)[1:-1])
    if not advised and asked_has_advice(asked):
        return asked.call("advice")
    others = [each for each in record.lines if each is not line and whole_ps(each)]
    return call_of_line(asked, others[0]) if others else asked.call("advice")


def asked_has_advice(asked: Asked[Any]) -> bool:
    """Whether anything is advised on the run."""
    record: AdviceRecord = asked.record("advice")
    return bool(record.findings)


def _in_function(line: LineRecord) -> str:
    return f" in {function_name(line.function)}" if line.function else ""


def _quoting(asked: Asked[Any], line: LineRecord) -> str:
    source = text_of(asked, line)
    return f": {source}" if source else ""


def _name(path: str | None, number: int) -> str:
    return plain_place(f"{path or '(unknown file)'}:{number}")


def _facts(line: LineRecord, record: LinesRecord, costs: LineCosts, row: int) -> Iterator[str]:
    """Phases, waiting and rates of a line."""
    if line.self_ps and line.other_ps != line.self_ps and not is_mostly_waiting(line):
        yield f"{what_of(line)}."
    if line.waiting_ps:
        basis = "estimated from samples" if line.basis == "estimated" else "measured"
        yield f"Devices wait for it ({basis}): {waits_text(line)}: {shares_text(line)}."
        yield from (f"{each}." for each in exposures_text(line, record, _name))
        others = meanwhile_text(line, _name, quoted)
        if others:
            yield f"{others[:1].upper()}{others[1:]}."
    computed = [*cost_facts(costs.of(row)), *padding_fact(costs.padding(row), costs.target or "")]
    if computed:
        yield f"Its ops: {', '.join(computed)}."
    if line.self_ps and line.self_ps != line.wall_ps:
        yield f"{time_text(line.self_ps, line.op_time_per_step_ps)} of op time: threads work at once."
    if is_estimated(line):
        yield "≈: more than half of its time is an estimate, divided among lines by cost or found by samples."


def _op(op: LineOpRecord, line: LineRecord, costs: LineCosts) -> str:
    facts = []
    if not op.has_estimate:
        facts.append("no estimate of its time")
    elif line.self_ps:
        facts.append(f"{timed(share(op.self_ps / line.self_ps), is_estimated=op.shared or op.inherited)} of the line")
    facts.extend(_rates(op, costs))
    if op.shape:
        operands = ", ".join(quoted(each, 40)[1:-1] for each in op.operand_shapes[:_MOST_OPERANDS])
        more = ", …" if len(op.operand_shapes) > _MOST_OPERANDS else ""
        facts.append(quoted(f"{op.shape} ← {operands}{more}" if operands else op.shape, 110))
    if op.shared_with:
        names = [_name(each.path, each.line) for each in op.shared_with]
        facts.append(f"its time is divided by cost with {of_all(names, _MOST_PLACES)}")
    if op.inherited:
        facts.append("has no source, and is on the line of its neighbours")
    phase = "" if op.phase in (None, "other") else f" {phase_name(op.phase)}"
    name = (
        f"{quoted(op.primitive)}{phase} ({quoted(op.name)}, {quoted(op.category, 40)})"
        if op.primitive
        else f"{quoted(op.name)}{phase} ({quoted(op.category, 40)})"
    )
    return f"{name}  {'; '.join(facts)}"


def _rates(op: LineOpRecord, costs: LineCosts) -> Iterator[str]:
    row = costs.op(op)
    if row is None or row.asynchronous or not row.wall_ps:
        return
    if row.flops:
        of_peak = (
            "" if row.flop_utilisation_ratio is None else f", {whole_share(row.flop_utilisation_ratio)} of the peak"
        )
        yield timed(f"{flop_rate(row.flops * _PS_PER_S / row.wall_ps)}{of_peak}")
    moved = row.bytes_by_space.get("main")
    if moved:
        ratio = row.bandwidth_utilisation_ratio
        of_peak = "" if ratio is None else f", {whole_share(ratio)} of the peak"
        yield timed(f"{byte_rate(moved * _PS_PER_S / row.wall_ps)}{of_peak}")
    if row.bound_by:
        yield f"bound by {bound_by_name(row.bound_by)}"


def _rest(line: LineRecord, left: int) -> str:
    rest = sum(op.self_ps for op in line.ops[len(line.ops) - left :])
    together = "" if left == 1 else "together "
    of_line = f", {together}{timed(share(rest / line.self_ps))} of the line," if line.self_ps else ""
    which, verb = ("op", "is") if left == 1 else ("ops", "are")
    return f'{left} more {which}{of_line} {verb} left out: format="json" has more.'


def _beside(asked: Asked[Any], line: LineRecord, record: LinesRecord, costs: LineCosts, row: int) -> Iterator[str]:
    """Padding, memory, and how the figures are to be read."""
    for each in wasteful(costs.padding(row), LEAST_WASTE_RATIO, LEAST_SHARE_RATIO)[:_MOST_PADDINGS]:
        yield f"Padding: {padding_sentence(each, costs.target, quoted, (), costs.fitting_tile)}"
    memory = LineMemory(asked.record("memory-lines"))
    in_memory = memory.of(line)
    if in_memory is not None and in_memory.bytes:
        lead = "≈" if memory.record.basis == "estimated" else ""
        kept = (
            f", {byte_size(in_memory.residual_bytes)} of it kept for the backward pass"
            if in_memory.residual_bytes
            else ""
        )
        of_peak = share(in_memory.bytes / max(1, memory.peak_bytes))
        program = quoted(memory.record.module or "")
        yield f"Memory: {lead}{byte_size(in_memory.bytes)} at the peak of {program}, {of_peak} of it{kept}."
    notes = {}
    for op in line.ops[:_MOST_OPS]:
        found = costs.op(op)
        notes.update(dict.fromkeys(all_said(found.findings)) if found is not None else {})
    yield from notes
    if line.per_step_ps is not None and line.per_step_spread_ps:
        steps = f"{record.extent.steps} step{'s' if record.extent.steps != 1 else ''}"
        spread = f"{duration(line.per_step_ps)} ± {duration(line.per_step_spread_ps)}"
        yield f"Per step {spread} over {steps}; shares are {whole_of(record.extent)}."


def _advised(asked: Asked[Any], line: LineRecord) -> list[Advice]:
    record: AdviceRecord = asked.record("advice")
    return [each for each in record.findings if each.line == line.line and each.path == line.path]


def _op_data(op: LineOpRecord, costs: LineCosts) -> dict[str, Any]:
    row = costs.op(op)
    return {
        "op": quoted(op.name)[1:-1],
        "primitive": quoted(op.primitive)[1:-1],
        "category": quoted(op.category)[1:-1],
        "phase": op.phase,
        "self_ps": op.self_ps,
        "shape": quoted(op.shape, 80)[1:-1],
        "shared": op.shared,
        "flops": None if row is None else row.flops,
        "bound_by": None if row is None else row.bound_by,
    }

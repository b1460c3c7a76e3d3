"""``op_detail``: all that is known of one op."""

from collections.abc import Iterator
from typing import Annotated, Any

import attrs

from scopelight.agents.answer import Answer, Section, ToolError
from scopelight.agents.desk import Asked, of_all
from scopelight.agents.findings import all_said, profile_warnings
from scopelight.agents.foreign import function_name, is_called, place_name, quoted
from scopelight.agents.lines import call_of_line, place_of
from scopelight.agents.tool import OfRun
from scopelight.analysis.ops.options import OpCardOptions
from scopelight.analysis.ops.records import OpCardRecord, OpRow, OpsRecord
from scopelight.analysis.options import Option
from scopelight.report.numbers import byte_rate, byte_size, count, duration, flop_rate, flops, share, whole_share
from scopelight.report.op_name import bound_by_name, op_name, space_name
from scopelight.report.op_sentences import NO_ESTIMATE, extent_text
from scopelight.report.padding_sentences import padding_facts
from scopelight.report.prediction.around import sentences_of_prediction
from scopelight.report.prediction.marks import timed

_MOST_NAMED = 6
_MOST_ARRAYS = 6
_MOST_INSIDE = 6
_MOST_FRAMES = 6
_MOST_EXPRESSION = 400
_PS_PER_S = 10**12


@attrs.frozen
class OpDetailOptions(OfRun):
    """Which op."""

    op: Annotated[
        str, Option('The op by its name in HLO, such as "fusion.3", or by that in jax, such as "dot_general".')
    ] = attrs.field(kw_only=True)
    program: Annotated[
        str | None, Option("The program that it is in, by its name, where several have one of the name.")
    ] = None


def op_detail(asked: Asked[OpDetailOptions]) -> Answer:
    """What the editor's card of an op has."""
    record: OpsRecord = asked.own_record()
    row, alike = _op_named(asked, record)
    given = asked.view_options
    card: OpCardRecord = asked.detail(
        "opCard", OpCardOptions(key=row.key, device=given.device, target=given.target, scope=given.scope)
    )
    jax_name, _ = op_name(row, row.name)
    where = place_name(row, asked.base)
    said = [
        f"{quoted(row.name)} in program {quoted(row.program)}: {quoted(jax_name)}, {quoted(row.category, 40)}",
        *sentences_of_prediction(record.findings),
        *_times(row, record),
        *_rates(row),
    ]
    if where:
        said.append(f"On {where}{_of_function(row)}{', which shares it with others' if row.shared else ''}.")
    if row.scope:
        said.append(f"Scope {quoted(row.scope, 120)}.")
    sections = [
        Section(said),
        Section((), list(all_said(card.op.findings))),
        Section((), list(_arrays(card)), left_out=max(0, len(card.arrays) - _MOST_ARRAYS)),
        Section(
            (), list(_inside(asked, card)), lambda left: f"{left} more inside {'is' if left == 1 else 'are'} left out."
        ),
        Section((), list(_stack(asked, card))),
        Section((), [f"HLO {quoted(' '.join(card.expression.split()), _MOST_EXPRESSION)}"] if card.expression else []),
    ]
    if alike:
        others = "1 other op is" if alike == 1 else f"{alike} other ops are"
        sections.append(Section([f"{others} called so; this one took longest. program= chooses another."]))
    sections.append(profile_warnings(asked.subject()))
    data = _data(asked, card.op)
    if row.line is not None:
        return Answer(sections, data, call_of_line(asked, row), place_of(row))
    return Answer(sections, data, asked.call("hot_lines"))


def _op_named(asked: Asked[OpDetailOptions], record: OpsRecord) -> tuple[OpRow, int]:
    """The op that is meant, the longest where several are, and how many others are."""
    named, program = asked.options.op.strip().lstrip("%"), asked.options.program
    rows = [
        row for row in record.rows if program is None or program == row.program_id or is_called(row.program, program)
    ]
    if program is not None and not rows:
        programs = list(dict.fromkeys(quoted(row.program) for row in record.rows))
        raise ToolError(
            f"No program {quoted(program)} ran; there are {of_all(programs, _MOST_NAMED)}.",
            asked.call("op_detail", op=quoted(named)[1:-1]),
        )
    # What answers say is cut, so that a name that was cut is found by its beginning.
    for found in (
        [row for row in rows if named in (row.name, row.key)],
        [row for row in rows if named == row.primitive],
        [row for row in rows if is_called(row.name, named)],
        [row for row in rows if row.name.startswith(named) or row.primitive.startswith(named)] if named else [],
    ):
        if found:
            return max(found, key=lambda row: row.self_ps), len(found) - 1
    if not record.rows:
        raise ToolError("No op ran in this run.", asked.call("summary"))
    longest = [f"{quoted(row.name)} ({quoted(row.primitive or row.category)})" for row in record.rows[:_MOST_NAMED]]
    rest = len(record.rows) - len(longest)
    raise ToolError(
        f"No op {quoted(named)}; the longest are {', '.join(longest)}{f' and {rest} more' if rest > 0 else ''}.",
        asked.call("op_detail", op=quoted(record.rows[0].name)[1:-1]),
    )


def _times(row: OpRow, record: OpsRecord) -> Iterator[str]:
    if not row.has_estimate:
        yield f"Its time: {NO_ESTIMATE}."
    elif record.op_time_ps:
        per_step = "" if row.per_step_ps is None else f", {duration(row.per_step_ps)}/step"
        yield (
            f"{timed(share(row.share_ratio))} of op time over {extent_text(record.extent)}{per_step}:"
            f" {count(row.executions)} executions of {duration(row.mean_ps)} on average"
            f" ({duration(row.least_ps)} to {duration(row.greatest_ps)})."
        )


def _of_function(row: OpRow) -> str:
    return f" in {function_name(row.function)}" if row.function else ""


def _rates(row: OpRow) -> Iterator[str]:
    """FLOPs and bytes, the rates that they came to, and what limits them. They are estimates from the shapes."""
    basis = "" if row.basis == "measured" else f" ({row.basis})"
    facts = []
    if row.flops is None:
        facts.append("FLOPs unknown")
    elif row.flops:
        rate = _rate(flop_rate, row.flops, row)
        facts.append(
            f"{flops(row.flops / max(1, row.executions))} an execution{rate}{_peak(row.flop_utilisation_ratio)}"
        )
    if row.bytes:
        moved = row.bytes_by_space.get("main") or row.bytes
        rate = _rate(byte_rate, moved, row)
        facts.append(f"{byte_size(moved / max(1, row.executions))} moved{rate}{_peak(row.bandwidth_utilisation_ratio)}")
    if row.bound_by:
        facts.append(f"bound by {bound_by_name(row.bound_by)}")
    if row.wasted_ps:
        facts.append(f"{timed(duration(row.wasted_ps))} less at the peak")
    if row.flops and row.padded_flops and row.padded_flops > row.flops:
        facts.append(f"{share(1 - row.flops / row.padded_flops)} of what the matrix unit computes is padding")
    if facts:
        yield f"{'; '.join(facts)}{basis}."


def _rate(written: Any, amount: int, row: OpRow) -> str:  # noqa: ANN401 (of FLOPs or bytes)
    return "" if row.asynchronous or not row.wall_ps else f" at {timed(written(amount * _PS_PER_S / row.wall_ps))}"


def _peak(ratio: float | None) -> str:
    return "" if ratio is None else f", {timed(whole_share(ratio))} of the peak"


def _arrays(card: OpCardRecord) -> Iterator[str]:
    for each in card.arrays[:_MOST_ARRAYS]:
        padding = [f"{count(dim.size)} → {count(dim.padded)}" for dim in each.dims if dim.padded > dim.size]
        padded = f"; padded {', '.join(padding)}" if padding else ""
        predicted = " (predicted)" if padding and each.predicted else ""
        shape = quoted(f"{each.shape}{each.layout}", 80)
        role = quoted(each.role, 40) if each.role != "result" else "result"
        yield f"{role} {shape} {byte_size(each.padded_bytes)} in {space_name(each.space)}{padded}{predicted}"
    for row in card.matrix_unit[:1]:
        yield f"matrix unit: {quoted(row.shape, 80)} {padding_facts(row)}"


def _inside(asked: Asked[Any], card: OpCardRecord) -> Iterator[str]:
    for each in card.elements[:_MOST_INSIDE]:
        of_op = "" if each.share_ratio is None else f" ≈{share(each.share_ratio)} of it,"
        name = quoted(each.primitive or each.opcode)
        where = place_name(each, asked.base)
        yield f"inside: {name} ({quoted(each.name)}){of_op} {quoted(each.shape)}{f' on {where}' if where else ''}"
    if len(card.elements) > _MOST_INSIDE:
        left = len(card.elements) - _MOST_INSIDE
        yield f"inside: {left} more {'is' if left == 1 else 'are'} left out."


def _stack(asked: Asked[Any], card: OpCardRecord) -> Iterator[str]:
    if len(card.stack) > 1:
        frames = [f"{place_name(each, asked.base)} {function_name(each.function)}" for each in card.stack]
        yield f"Called from {of_all(frames[1:], _MOST_FRAMES)}."


def _data(asked: Asked[Any], row: OpRow) -> dict[str, Any]:
    return {
        "op": quoted(row.name)[1:-1],
        "primitive": quoted(row.primitive)[1:-1],
        "program": quoted(row.program)[1:-1],
        "category": quoted(row.category)[1:-1],
        "line": place_name(row, asked.base),
        "scope": quoted(row.scope, 120)[1:-1],
        "phase": row.phase,
        "executions": row.executions,
        "self_ps": row.self_ps,
        "per_step_ps": row.per_step_ps,
        "share_of_op_time_ratio": round(row.share_ratio, 5),
        "flops": row.flops,
        "bytes": row.bytes,
        "basis": row.basis,
        "flop_utilisation_ratio": row.flop_utilisation_ratio,
        "bandwidth_utilisation_ratio": row.bandwidth_utilisation_ratio,
        "bound_by": row.bound_by,
        "shape": quoted(row.shape, 80)[1:-1],
        "operand_shapes": [quoted(each, 80)[1:-1] for each in row.operand_shapes],
    }

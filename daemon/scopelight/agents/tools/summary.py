"""``summary``: one page of a run, to begin with."""

from collections.abc import Iterator
from typing import Any

import attrs

from scopelight.agents.answer import Answer, Section
from scopelight.agents.desk import Asked
from scopelight.agents.findings import advice_said, all_said, warned
from scopelight.agents.foreign import function_name, guarded, place_name, plain_place, quoted
from scopelight.agents.lines import call_of_line, text_of
from scopelight.agents.tool import OfRun
from scopelight.analysis.overview.records import OverviewLine, OverviewOp, OverviewRecord
from scopelight.report.numbers import duration, flop_rate, share
from scopelight.report.overview.overview import heads, ran_on, share_of_line, what_of, whole_of_lines
from scopelight.report.prediction.around import sentences_of_prediction, without_prediction
from scopelight.report.prediction.marks import timed
from scopelight.report.sentences import IN_PART, wall_clock

_MOST_LINES = 8
_MOST_OPS = 4
_MOST_ADVICE = 4


@attrs.frozen
class SummaryOptions(OfRun):
    """Which run."""


def summary(asked: Asked[SummaryOptions]) -> Answer:
    """Where the steps went, what to do next, the first lines and ops, and what it ran on."""
    return summarised(asked)


def summarised(asked: Asked[SummaryOptions]) -> Answer:
    """The same for other tools that make a run."""
    record: OverviewRecord = asked.record("overview", asked.view_options)
    lines = sorted([*record.lines, *record.waiting_lines], key=lambda line: -line.share_ratio)
    whole = whole_of_lines(record)
    wall = wall_clock(asked.record("lines"))
    said = [
        f"Run {plain_place(asked.desk.workspace.name_of(asked.path))}",
        *sentences_of_prediction(record.findings),
        *all_said(without_prediction(record.findings), "empty", "error"),
        *heads(record),
        *([wall] if wall else []),
        # Of several hosts the slow one, which no advice on the run names.
        *all_said(record.findings, "advice"),
    ]
    sections = [Section(said)]
    if record.advice:
        rows = [_advice(asked, number, each) for number, each in enumerate(record.advice[:_MOST_ADVICE], 1)]
        left_out = len(record.advice) - len(rows) + record.advice_left_out
        sections.append(Section(["What would make it faster, most first:"], rows, left_out=left_out))
    if lines:
        rows = [_line(asked, line, whole) for line in lines[:_MOST_LINES]]
        sections.append(
            Section(
                [f"Lines, most {whole} first:"],
                rows,
                lambda left: f"{left} more: hot_lines has them.",
                len(lines) - len(rows),
            )
        )
    if record.ops:
        rows = [_op(asked, each) for each in record.ops[:_MOST_OPS]]
        sections.append(
            Section(["Ops, most op time first:"], rows, lambda _left: "op_detail opens any other by its name.")
        )
    # Of warnings the head has said why there is no step.
    sections.append(warned(each for each in without_prediction(record.findings) if each.code != IN_PART))
    sections.append(Section((), list(_around(record))))
    return Answer(sections, _data(asked, record, lines), _next(asked, record, lines))


def _next(asked: Asked[SummaryOptions], record: OverviewRecord, lines: list[OverviewLine]) -> str:
    if record.advice:
        return asked.call("advice")
    if lines:
        return call_of_line(asked, lines[0])
    return asked.call("list_runs") if asked.run is None else "list_runs()"


def _advice(asked: Asked[SummaryOptions], number: int, advice: Any) -> str:  # noqa: ANN401 (an `Advice`)
    where = place_name(advice, asked.base)
    return " ".join(filter(None, (f"{number}. {advice.code}", where, advice_said(advice))))


def _line(asked: Asked[SummaryOptions], line: OverviewLine, whole: str) -> str:
    facts = [f"{share_of_line(line)} {whole}"]
    if line.per_step_ps is not None:
        facts.append(f"{duration(line.per_step_ps)}/step")
    facts.append(what_of(line))
    if line.function:
        facts.append(f"in {function_name(line.function)}")
    facts.append(text_of(asked, line))
    return f"{place_name(line, asked.base)}  {'; '.join(filter(None, facts))}"


def _op(asked: Asked[SummaryOptions], op: OverviewOp) -> str:
    facts = [f"{timed(share(op.share_ratio))} of op time"]
    if op.per_step_ps is not None:
        facts.append(f"{duration(op.per_step_ps)}/step")
    if op.flops_per_s:
        facts.append(timed(flop_rate(op.flops_per_s)))
    facts.append(place_name(op, asked.base))
    return f"{quoted(op.primitive or op.category)} ({quoted(op.name)})  {'; '.join(filter(None, facts))}"


def _around(record: OverviewRecord) -> Iterator[str]:
    """What the run ran on."""
    environment = guarded(attrs.evolve(record.environment, command=()))
    command = record.environment.command
    if command:
        environment = attrs.evolve(environment, command=(quoted(" ".join(command), 160),))
    yield from ran_on(attrs.evolve(record, environment=environment))


def _data(asked: Asked[SummaryOptions], record: OverviewRecord, lines: list[OverviewLine]) -> dict[str, Any]:
    return {
        "run": asked.desk.workspace.name_of(asked.path),
        "predicted_for": record.predicted_for,
        "steps": record.step_time.steps,
        "mean_step_ps": record.step_time.mean_ps,
        "parts_ps": dict(record.parts),
        "figures": {each.quantity: each.value for each in record.summary},
        "lines": [
            {
                "line": place_name(line, asked.base),
                "share_ratio": round(line.share_ratio, 5),
                "per_step_ps": line.per_step_ps,
                "waits_for": line.kind,
                "basis": line.basis,
                "source": text_of(asked, line)[1:-1],
            }
            for line in lines
        ],
        "ops": [
            {
                "op": quoted(op.name)[1:-1],
                "primitive": quoted(op.primitive)[1:-1],
                "line": place_name(op, asked.base),
                "share_of_op_time_ratio": round(op.share_ratio, 5),
            }
            for op in record.ops
        ],
        "advice": [
            {"code": each.code, "line": place_name(each, asked.base), "text": advice_said(each)}
            for each in record.advice
        ],
        "findings": list(all_said(record.findings)),
    }

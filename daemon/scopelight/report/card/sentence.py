"""What a person can repeat of a line: how much of the step it is, what that is of, and what holds it back."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.records import PHASE_NAMES, LineRecord, LinesRecord
from scopelight.report.annotations import is_estimated
from scopelight.report.cost_text import peak_ratio_text
from scopelight.report.host.waiting import CLASS_NAMES, NOT_KNOWN, inclusive_whole_ps, is_mostly_waiting, whole_ps
from scopelight.report.language import template, text
from scopelight.report.numbers import count, duration, share, whole_share
from scopelight.report.op_name import bound_by_name, phase_name
from scopelight.report.prediction.marks import timed
from scopelight.report.sentences import whole_of

WITHOUT_ESTIMATE: Final = template("How long it takes is not predicted: none of its ops has an estimate.")
NOTHING_RAN: Final = template("Nothing of it ran: what is known is that of the compiled program.")
_MOST: Final = 0.5
"""What most of something is of, or is for, is worth a word."""


def sentence(line: LineRecord, record: LinesRecord, costs: LineCosts | None, row: int) -> str | None:
    """``**15.2 %** of the step: 5.80 ms, most of it backward; at 23 % of the peak, compute bound.``

    None where nothing is known of the line's time. ``costs`` holds those of the line as its ``row``.
    """
    if not line.inclusive_ps and not line.waiting_inclusive_ps:
        if record.predicted_for is not None:
            return text(WITHOUT_ESTIMATE) if any(not op.has_estimate for op in line.ops) else None
        return text(NOTHING_RAN) if line.ops and not line.executions else None
    if not line.self_ps and not line.waiting_ps:
        return _of_calls_alone(line, record)
    said = text(
        "**{share}** {of_whole}: {facts}.",
        share=timed(share(line.share_ratio), is_estimated=is_estimated(line)),
        of_whole=whole_of(record.extent),
        facts=_of_waiting(line) if is_mostly_waiting(line) else _of_ops(line, costs, row),
    )
    return " ".join((said, *_beside(line, record)))


def in_few_steps(line: LineRecord, record: LinesRecord) -> str:
    """``most of it in 2 of 40 steps, 150 ms each``, of a line that has ``few_steps``."""
    return text(
        "most of it in {few} of {steps} steps, {time} each"
        if line.few_steps != 1
        else "most of it in 1 of {steps} steps, {time} there",
        few=count(line.few_steps or 0),
        steps=count(record.extent.steps),
        time=duration(line.few_steps_each_ps or 0),
    )


def _of_calls_alone(line: LineRecord, record: LinesRecord) -> str:
    values = {
        "share": timed(share(line.inclusive_share_ratio)),
        "of_whole": whole_of(record.extent),
        "time": _inclusive_time(line),
    }
    waiting_ps = _in_a_step(line.waiting_inclusive_ps, inclusive_whole_ps(line), line.inclusive_per_step_ps)
    if line.waiting_inclusive_ps > line.inclusive_wall_ps:
        return text(
            "**{share}** {of_whole} is in what it calls: {time}, {waiting} of it waiting.",
            **values,
            waiting=duration(waiting_ps),
        )
    return text("**{share}** {of_whole} is in what it calls: {time}.", **values)


def _of_waiting(line: LineRecord) -> str:
    time = duration(line.waiting_ps if line.waiting_per_step_ps is None else line.waiting_per_step_ps)
    name, of_class_ps = max(line.waiting_classes.items(), key=lambda each: each[1], default=("unknown", 0))
    if name in NOT_KNOWN or of_class_ps < line.waiting_ps * _MOST:
        said = text("the device waits {time} for it", time=time)
    else:
        said = text("the device waits {time} for it, for {reason}", time=time, reason=text(CLASS_NAMES[name]))
    if not line.wall_ps:
        return said
    return text(
        "{waiting}; its ops take {time}",
        waiting=said,
        time=duration(_in_a_step(line.wall_ps, whole_ps(line), line.per_step_ps)),
    )


def _of_ops(line: LineRecord, costs: LineCosts | None, row: int) -> str:
    facts = [duration(whole_ps(line) if line.per_step_ps is None else line.per_step_ps)]
    phase_ps, phase = max((getattr(line, f"{name}_ps"), name) for name in PHASE_NAMES)
    if phase != "other" and phase_ps > line.self_ps * _MOST:
        is_all = phase_ps == line.self_ps
        facts.append(text("all of it {phase}" if is_all else "most of it {phase}", phase=phase_name(phase)))
    said = ", ".join(facts)
    held_back = ", ".join(_limits(line, costs, row)) if costs is not None else ""
    return f"{said}; {held_back}" if held_back else said


def _limits(line: LineRecord, costs: LineCosts, row: int) -> Iterator[str]:
    """How much of the device's peak is reached, and what is the limit of most of the time."""
    bound = _bound_by(line, costs)
    if bound is None or bound == "compute":
        reached = peak_ratio_text(costs.of(row))
        if reached is not None:
            yield text("at {share} of the peak", share=reached)
        if bound is not None:
            yield text("compute bound")
        return
    reached_ratio = _bandwidth_ratio(line, costs)
    if reached_ratio is not None:
        yield text("at {share} of the peak bandwidth", share=timed(whole_share(reached_ratio)))
    yield text("bound by {memory}", memory=bound_by_name(bound))


def _bound_by(line: LineRecord, costs: LineCosts) -> str | None:
    times: Counter[str] = Counter()
    for op in line.ops:
        row = costs.op(op)
        if row is not None and row.bound_by and not row.asynchronous:
            times[row.bound_by] += op.self_ps
    return next((name for name, time_ps in times.most_common(1) if time_ps > line.self_ps * _MOST), None)


def _bandwidth_ratio(line: LineRecord, costs: LineCosts) -> float | None:
    known = [
        (row.bandwidth_utilisation_ratio, op.self_ps)
        for op in line.ops
        if (row := costs.op(op)) is not None and not row.asynchronous and row.bandwidth_utilisation_ratio is not None
    ]
    whole_time = sum(time_ps for _, time_ps in known)
    return sum(ratio * time_ps for ratio, time_ps in known) / whole_time if whole_time else None


def _beside(line: LineRecord, record: LinesRecord) -> Iterator[str]:
    """What is to be known before the figures are compared with others."""
    if line.few_steps is not None:
        few = in_few_steps(line, record)
        yield f"{few[:1].upper()}{few[1:]}."
    inclusive = share(line.inclusive_share_ratio)
    if inclusive_whole_ps(line) > whole_ps(line) and inclusive != share(line.share_ratio):
        yield text("With what it calls {share}: {time}.", share=timed(inclusive), time=_inclusive_time(line))


def _inclusive_time(line: LineRecord) -> str:
    return duration(inclusive_whole_ps(line) if line.inclusive_per_step_ps is None else line.inclusive_per_step_ps)


def _in_a_step(part_ps: int, of_ps: int, per_step_ps: int | None) -> float:
    """A part of what a step has; of all where there are no steps."""
    return part_ps if per_step_ps is None else per_step_ps * part_ps / max(1, of_ps)

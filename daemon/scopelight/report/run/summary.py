"""The sentence at the end of a capture: how long a step takes, and what takes most of it."""

import posixpath

import attrs

from scopelight.analysis.records import LineRecord, LinesRecord, StepTimeRecord
from scopelight.report.cost_text import prediction_for
from scopelight.report.findings.worded import sentences, worded
from scopelight.report.foreign_text import printable
from scopelight.report.host.waiting import is_mostly_waiting
from scopelight.report.language import text
from scopelight.report.numbers import duration, whole_share
from scopelight.report.prediction.marks import are_times_predicted, marked, timed
from scopelight.report.run.excerpt import excerpt
from scopelight.report.sentences import (
    IN_PART,
    is_in_part,
    is_wall_known,
    of_what_was_compiled,
    steps_text,
    whole_of,
    why_empty,
)

_FIRST = ("prediction-cancelled", "prediction-refused-ops")
"""Codes of what is to be known of a prediction before its time."""

_LEAST_APART_RATIO = 0.05
"""Of the mean time of a step, that the median is apart from it: less is one figure to a reader."""


@attrs.frozen(slots=True)
class NamedLine:
    """A line that a person is led to, and its text where that is known."""

    line: LineRecord
    code: str | None = None


def hottest_rows(record: LinesRecord) -> tuple[int, ...]:
    """The rows of lines with time of the wall clock, most first, whether their ops ran or devices waited for them."""
    return tuple(row for row, line in enumerate(record.lines) if line.self_ps or line.waiting_ps)


@marked
def summary(
    record: LinesRecord,
    title: str,
    *,
    script: str | None = None,
    named: NamedLine | None = None,
    without_room: str | None = None,
) -> str:
    """``train.py: 5 steps of 593 ms. 62 % of the step waits for next(loader), line 71.`` Where a few steps took long:
    ``5 steps of 593 ms on average, median 520 ms``.

    ``named`` is the line that a person is led to, the first that is on this machine; None is the first of all. Where
    more time is elsewhere the sentence says so first. A line goes with the name of its file where that is not
    ``script`` (a whole path; without one, not the file called ``title``). Without lines it says why.

    Of a prediction it is said first that it was cancelled, and what the TPU refuses; where it does not fit, which
    ``without_room`` says, no time.
    """
    first = [worded(each, "editor").text for each in record.findings if each.code in _FIRST]
    if without_room is not None:
        fit = text("{subject}: {fits}.", subject=_subject(record, title), fits=without_room)
        return " ".join((fit, *first))
    if first:
        return " ".join((f"{_subject(record, title)}:", *first, _of_time(record, title, script, named)))
    return _of_time(record, title, script, named, subject=_subject(record, title))


def _of_time(
    record: LinesRecord, title: str, script: str | None, named: NamedLine | None, *, subject: str | None = None
) -> str:
    """How long a step takes, and what takes most of it, of ``subject`` where it is not named before."""
    hottest = next(iter(hottest_rows(record)), None)
    if hottest is None:
        said = f"{f'{_steps(record.step_time)}. ' if record.steps else ''}{why_empty(record)}"
        return said if subject is None else f"{subject}: {said}"
    first = record.lines[hottest]
    led_to = named or NamedLine(first)
    costs = [_cost(record, led_to, title, script)]
    if first is not led_to.line:
        there = _cost(record, NamedLine(first), title, script)
        costs.insert(0, text("{cost}, which is not on this machine", cost=there))
    elsewhere = _on_no_line(record)
    if elsewhere > first.share_ratio:
        missing = timed(whole_share(elsewhere))
        on_none = text("{share} {whole} is on no line", share=missing, whole=whole_of(record.extent))
        costs.insert(0, on_none)
    figures = {"steps": _steps(record.step_time), "time": duration(record.op_time_ps), "costs": "; ".join(costs)}
    if is_in_part(record):
        about = [] if subject is None else [f"{subject}:"]
        why = [sentences(each, "editor") for each in record.findings if each.code == IN_PART]
        whole = text("{steps}. {costs}.", steps=of_what_was_compiled(record), costs=figures["costs"])
        return " ".join((*about, *why, whole))
    if subject is None:
        return text("{steps}. {costs}." if record.steps else "No steps found, {time} of op time. {costs}.", **figures)
    return text(
        "{title}: {steps}. {costs}." if record.steps else "{title}: no steps found, {time} of op time. {costs}.",
        title=subject,
        **figures,
    )


def _steps(time: StepTimeRecord) -> str:
    """How long a step takes; where that is on average another time than that of most steps, both: comparisons and
    budgets have the median."""
    said = steps_text(time)
    if time.steps < 2 or not time.mean_ps or time.median_ps is None or are_times_predicted():
        return said
    if abs(time.mean_ps - time.median_ps) < time.mean_ps * _LEAST_APART_RATIO:
        return said
    return text("{steps} on average, median {median}", steps=said, median=duration(time.median_ps))


def _subject(record: LinesRecord, title: str) -> str:
    """What the sentence is about, which of a prediction names the device."""
    if record.predicted_for is None:
        return title
    return text("{script}, {predicted}", script=title, predicted=prediction_for(record.predicted_for))


def _cost(record: LinesRecord, named: NamedLine, title: str, script: str | None) -> str:
    line = named.line
    where = _place(line, title, script)
    code = excerpt(named.code) if named.code else ""
    return text(
        "{share} {whole} waits for {place}" if is_mostly_waiting(line) else "{share} {whole} runs {place}",
        share=timed(whole_share(line.share_ratio)),
        whole=whole_of(record.extent),
        place=f"{code}, {where}" if code else where,
    )


def _place(line: LineRecord, title: str, script: str | None) -> str:
    name = posixpath.basename((line.path or "").replace("\\", "/"))
    is_script = line.file == script if script is not None else name == title
    if is_script:
        return text("line {line}", line=line.line)
    return printable(f"{name or text('(unknown file)')}:{line.line}")


def _on_no_line(record: LinesRecord) -> float:
    """The greater share of the wall clock that is on no line: of ops, or of idle time where that is known."""
    whole_ps = record.wall.wall_ps if record.wall is not None else 0
    idle_ps = record.unattributed_waiting_ps if is_wall_known(record) else 0
    return max(record.unattributed_wall_ps, idle_ps) / whole_ps if whole_ps else 0.0

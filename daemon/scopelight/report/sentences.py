"""Sentences about a run: what the head of a list, the status bar and a notification say."""

import posixpath
import statistics
from collections.abc import Sequence

from scopelight.analysis.records import LineRecord, LinesRecord, StepTimeRecord
from scopelight.report.cost_text import per_step
from scopelight.report.findings.worded import of_severity, worded
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text
from scopelight.report.numbers import duration, whole_share

THREADS = template("Op time adds up the threads that worked at once, so it can exceed the wall clock.")
WITHOUT_STEPS = ("no-steps", "no-program-runs")
"""Codes that say why there are no steps, which the headline does."""
_SOURCES = {
    "annotation": template("{steps}, by annotation"),
    "steps-line": template("{steps}, by steps line"),
    "repetition": template("{steps}, by repeating program"),
}


def headline(record: LinesRecord) -> str:
    """The step time and how steps were found: ``5 steps of 32.4 ms ± 200 µs, by repeating program (jit_step)``.

    Without steps it says why there are none, without ops why nothing ran.
    """
    if not record.op_time_ps:
        return why_empty(record)
    if not record.steps:
        why_none = [each for each in record.findings if each.code in WITHOUT_STEPS]
        return worded(why_none[0], "terminal").text if why_none else text("No steps were found.")
    durations = [step.duration_ps for step in record.steps]
    spread = f" ± {duration(_spread_ps(durations))}" if len(durations) > 1 else ""
    found = text(_SOURCES.get(record.steps_source or "", "{steps}"), steps=f"{_steps(record)}{spread}")
    return f"{found} ({printable(record.steps_name)})" if record.steps_name else found


def wall_clock(record: LinesRecord) -> str:
    """What the wall clock went to, on average over steps and devices: ``device busy 29.1 ms (97 %), ...``."""
    split = record.step_time
    parts = (
        (text("device busy"), split.busy_ps),
        (text("compiling"), split.compiling_ps),
        (text("waiting for the host"), split.waiting_ps),
    )
    shares = [f"{name} {duration(part)} ({part / max(1, split.mean_ps) * 100:.3g} %)" for name, part in parts if part]
    return text(
        "Wall clock of a step, {time} on average: {shares}"
        if record.steps
        else "Wall clock of the window, {time} on average: {shares}",
        time=duration(split.mean_ps),
        shares=", ".join(shares),
    )


def short(record: LinesRecord) -> str:
    """For the status bar: ``32.4 ms/step · 97 % busy``, without steps ``1.20 s window · 97 % busy``."""
    split = record.step_time
    if not split.mean_ps and not record.op_time_ps:
        return text("nothing ran")
    time = (
        per_step(duration(_median_ps(record))) if record.steps else text("{time} window", time=duration(split.mean_ps))
    )
    busy = busy_ratio(split)
    return time if busy is None else f"{time} · {text('{share} busy', share=whole_share(busy))}"


def busy_ratio(split: StepTimeRecord) -> float | None:
    """Share of the wall clock that the device was busy; None where there is no wall clock."""
    return split.busy_ps / split.mean_ps if split.mean_ps else None


def summary(record: LinesRecord, title: str, *, script: str | None = None) -> str:
    """For the notification at the end of a capture: ``train.py: 5 steps of 32.4 ms. Line 57 takes 38 %.``

    The hottest line goes with the name of its file where that is not ``script`` (a whole path; without one, not the
    file called ``title``). Without lines it says why.
    """
    hottest = next((line for line in record.lines if line.self_ps), None)
    if hottest is None:
        return f"{title}: {why_empty(record)}"
    return text(
        "{title}: {steps}. {place} takes {share}."
        if record.steps
        else "{title}: no steps found, {time} of op time. {place} takes {share}.",
        title=title,
        steps=_steps(record),
        time=duration(record.op_time_ps),
        place=_place(hottest, title, script),
        share=whole_share(hottest.self_ps / max(1, record.op_time_ps)),
    )


def why_empty(record: LinesRecord) -> str:
    """Why no line has time."""
    reasons = of_severity(record.findings, "empty")
    return worded(reasons[0], "terminal").text if reasons else text("No op ran on a device.")


def _place(line: LineRecord, title: str, script: str | None) -> str:
    name = posixpath.basename((line.path or "").replace("\\", "/"))
    is_script = line.file == script if script is not None else name == title
    if is_script:
        return text("Line {line}", line=line.line)
    return printable(f"{name or text('(unknown file)')}:{line.line}")


def _steps(record: LinesRecord) -> str:
    number = len(record.steps)
    if not number:
        return ""
    return text(
        "1 step of {time}" if number == 1 else "{number} steps of {time}",
        number=number,
        time=duration(_median_ps(record)),
    )


def _median_ps(record: LinesRecord) -> float:
    return statistics.median(step.duration_ps for step in record.steps)


def _spread_ps(durations: Sequence[int]) -> float:
    """Half of the range that holds the middle half of the steps."""
    lower, _, upper = statistics.quantiles(durations, n=4, method="inclusive")
    return (upper - lower) / 2

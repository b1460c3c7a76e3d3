"""Sentences about a run: what the head of a list and the status bar say."""

from collections.abc import Mapping
from typing import Final

from scopelight.analysis.records import (
    ExtentKind,
    ExtentRecord,
    LinesRecord,
    StallCause,
    StepTimeRecord,
    WallRecord,
)
from scopelight.report.cost_text import per_step
from scopelight.report.findings.worded import of_severity, worded
from scopelight.report.foreign_text import printable
from scopelight.report.host.waiting import CLASS_NAMES, NOT_KNOWN, idle_text
from scopelight.report.language import template, text
from scopelight.report.numbers import duration, share, whole_share
from scopelight.report.prediction.marks import are_times_predicted, marked, timed

THREADS = template("Op time adds up the threads that worked at once, so it can exceed the wall clock.")
IN_PART: Final = "no-steps-predicted-in-part"
"""Why a prediction has no steps that lacks something of what the script called."""
WITHOUT_STEPS = ("no-steps", "no-steps-predicted", IN_PART, "no-program-runs")
"""Codes that say why there are no steps, which the headline does."""
_SOURCES = {
    "annotation": template("{steps}, by annotation"),
    "steps-line": template("{steps}, by steps line"),
    "repetition": template("{steps}, by repeating program"),
}

STALLS: Final[Mapping[StallCause, str]] = {
    "copy": template("stalled on copies"),
    "collective": template("stalled on collectives"),
    "peer": template("stalled on another device"),
    "host": template("stalled on input from the host"),
}
PREDICTED_STALLS: Final[Mapping[StallCause, str]] = {
    **STALLS,
    "collective": template("collectives, unless something hides them"),
}
"""The same where nothing overlaps, for nobody knows what would."""
_WALL_CLOCK: Final[Mapping[ExtentKind, str]] = {
    "steps": template("Wall clock of a step, {time} on average: {shares}"),
    "window": template("Wall clock of the whole window, {time}: {shares}"),
    "outside": template("Wall clock outside of the steps, {time}: {shares}"),
    "program": template("Wall clock of the program, {time}: {shares}"),
}
_WALL_CLOCK_OF_ONE: Final = template("Wall clock of the step, {time}: {shares}")
_WHOLES: Final[Mapping[ExtentKind, str]] = {
    "steps": template("of the step"),
    "window": template("of the whole window"),
    "outside": template("of the time outside of the steps"),
    "program": template("of the program"),
}
_LEAST_STALLED_RATIO = 0.01
_LEAST_IDLE_RATIO = 0.05
"""What devices waited most for is named in short from here on."""
_MORE_THAN_ONE_THREAD = 1.01


@marked
def headline(record: LinesRecord) -> str:
    """The step time and how steps were found: ``5 steps of 32.4 ms on average, median 32.2 ms, 31.9 to 33.4 ms, by …``;
    ``≈32.4 ms a step, predicted for TPU v5e``.

    Without steps it says why there are none, without either of steps and ops why nothing ran.
    """
    if not record.steps and not record.op_time_ps:
        return why_empty(record)
    if not record.steps:
        why_none = [each for each in record.findings if each.code in WITHOUT_STEPS]
        if not why_none:
            return text("No steps were found.")
        said = worded(why_none[0], "terminal").text
        if why_none[0].code != IN_PART or record.predicted_for is None:
            return said
        figures = {"time": of_what_was_compiled(record), "target": record.predicted_for, "why": said}
        return text("{time}, predicted for {target}. {why}", **figures)
    if record.predicted_for is not None:
        steps = _steps_and_range(record.step_time)
        return text("{steps}, predicted for {target}", steps=steps, target=record.predicted_for)
    found = text(_SOURCES.get(record.steps_source or "", "{steps}"), steps=_steps_and_range(record.step_time))
    return f"{found} ({printable(record.steps_name)})" if record.steps_name else found


@marked
def wall_clock(record: LinesRecord) -> str | None:
    """What the wall clock of the extent went to, on average over steps and devices; None where that is not known.

    ``Wall clock of a step: device busy 29.1 ms (90 %), stalled on copies 3.2 ms (10 %)``.
    """
    wall, extent = _known_wall(record), record.extent
    if wall is None:
        return None
    if record.predicted_for is not None and not wall.stalled_ps:
        # Nothing idles in a prediction.
        return None
    stalls = PREDICTED_STALLS if record.predicted_for is not None else STALLS
    parts = [(text("computing") if record.predicted_for is not None else text("device busy"), wall.busy_ps)]
    parts.extend((text(stalls[each.cause]), each.stalled_ps) for each in wall.stalls)
    compiling_ps = 0 if record.idle_classes.keys() - {"unknown"} else wall.compiling_ps
    parts.append((text("idle while compiling"), compiling_ps))
    of_each = max(1, extent.steps) * extent.devices
    whole_ps = max(1, wall.wall_ps)
    shares = [f"{name} {duration(part / of_each)} ({timed(share(part / whole_ps))})" for name, part in parts if part]
    idle_ps = wall.idle_ps - compiling_ps
    if idle_ps:
        parted = idle_text(record.idle_classes, whole_ps)
        of_whole = text("{share}: {parts}", share=share(idle_ps / whole_ps), parts=parted) if parted else ""
        shares.append(f"{text('idle')} {duration(idle_ps / of_each)} ({of_whole or share(idle_ps / whole_ps)})")
    said = _WALL_CLOCK_OF_ONE if extent.kind == "steps" and extent.steps == 1 else _WALL_CLOCK[extent.kind]
    return text(said, time=duration(wall.wall_ps / of_each), shares=", ".join(shares))


def whole_of(extent: ExtentRecord) -> str:
    """What a share of the wall clock is of: ``of the step``."""
    return text(_WHOLES[extent.kind])


def exceeds_wall(record: LinesRecord) -> bool:
    """Whether there is more op time than wall clock in which ops ran, since threads worked side by side."""
    # What reaches out of the last step has all of its op time in it.
    wall = record.wall
    return wall is not None and record.op_time_ps > (wall.busy_ps + wall.stalled_ps) * _MORE_THAN_ONE_THREAD


@marked
def short(record: LinesRecord, *, fits: bool = True) -> str:
    """For the status bar: ``32.4 ms/step · 37 % busy · 62 % idle: input``; ``1.20 s window · 97 % busy``.

    Of a prediction that does not fit it says that instead of a time.
    """
    if not fits and record.predicted_for is not None:
        return " · ".join((text("does not fit"), text("predicted for {target}", target=record.predicted_for)))
    wall, mean_ps = _known_wall(record), record.step_time.mean_ps
    if record.wall is None and mean_ps is None:
        return text("nothing ran")
    window_ps = record.extent.duration_ps
    facts = [text("{time} window", time=duration(window_ps)) if mean_ps is None else per_step(duration(mean_ps))]
    if is_in_part(record):
        facts = [of_what_was_compiled(record)]
    if record.predicted_for is not None:
        return " · ".join((*facts, text("predicted for {target}", target=record.predicted_for)))
    if wall is not None and wall.wall_ps:
        facts.append(text("{share} busy", share=whole_share(wall.busy_ps / wall.wall_ps)))
        if wall.stalled_ps >= wall.wall_ps * _LEAST_STALLED_RATIO:
            facts.append(text("{share} stalled", share=whole_share(wall.stalled_ps / wall.wall_ps)))
        classes = [(name, idle_ps) for name, idle_ps in record.idle_classes.items() if name != "untraced"]
        # Where none is known, there is nothing to say of them.
        if any(name not in NOT_KNOWN for name, _ in classes) and classes[0][1] >= wall.wall_ps * _LEAST_IDLE_RATIO:
            name, idle_ps = classes[0]
            ratio = whole_share(idle_ps / wall.wall_ps)
            facts.append(text("{share} idle: {what}", share=ratio, what=text(CLASS_NAMES[name])))
    return " · ".join(facts)


def busy_ratio(record: LinesRecord) -> float | None:
    """Share of the wall clock that the devices were busy; None where that is not known, or nothing ran."""
    wall = _known_wall(record) if record.predicted_for is None else None
    return wall.busy_ps / wall.wall_ps if wall is not None and wall.wall_ps else None


def _known_wall(record: LinesRecord) -> WallRecord | None:
    """What the devices did, where it is on record: without some threads, or the names of what helped, they may seem
    idle."""
    return record.wall if is_wall_known(record) else None


def is_wall_known(record: LinesRecord) -> bool:
    """Whether all that ran is on record, so that what is not busy is idle."""
    in_part = [each.values for each in record.findings if each.code == "plane-read-in-part"]
    return not any(each.get("has_ops") and (each.get("lacks_threads") or each.get("lost")) for each in in_part)


def why_empty(record: LinesRecord) -> str:
    """Why no line has time."""
    reasons = of_severity(record.findings, "empty")
    return worded(reasons[0], "terminal").text if reasons else text("No op ran on a device.")


def steps_text(time: StepTimeRecord) -> str:
    """How many steps, and how long one takes: ``5 steps of 32.4 ms``; where that is predicted, ``≈32.4 ms a step``."""
    if are_times_predicted():
        return text("{time} a step", time=duration(time.mean_ps or 0))
    return text(
        "1 step of {time}" if time.steps == 1 else "{number} steps of {time}",
        number=time.steps,
        time=duration(time.mean_ps or 0),
    )


def is_in_part(record: LinesRecord) -> bool:
    """Whether something that the script called is missing in a prediction, so that no time of a step is told."""
    return any(each.code == IN_PART for each in record.findings)


def of_what_was_compiled(record: LinesRecord) -> str:
    """The time of a prediction that lacks something: ``≈182 µs of what was compiled``."""
    return text("{time} of what was compiled", time=duration(record.extent.duration_ps))


def _steps_and_range(time: StepTimeRecord) -> str:
    if time.mean_ps is None or time.median_ps is None or time.least_ps is None or time.greatest_ps is None:
        return ""
    if time.steps == 1 or (are_times_predicted() and time.least_ps == time.greatest_ps):
        return steps_text(time)
    return text(
        "{steps} on average, median {median}, {least} to {greatest}",
        steps=steps_text(time),
        median=duration(time.median_ps),
        least=duration(time.least_ps),
        greatest=duration(time.greatest_ps),
    )

"""The overview in the terminal."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rich.console import Console

from scopelight.analysis.overview.records import (
    OverviewLine,
    OverviewOp,
    OverviewRecord,
    StepPart,
    SummaryFigure,
    SummaryQuantity,
)
from scopelight.report.findings.prediction.fit import VERDICTS
from scopelight.report.findings.savings import saving_text
from scopelight.report.findings.worded import closing, in_terminal, worded
from scopelight.report.foreign_text import printable
from scopelight.report.host.waiting import CLASS_NAMES
from scopelight.report.language import template, text
from scopelight.report.numbers import byte_size, duration, flop_rate, share
from scopelight.report.overview.advice import say_effects
from scopelight.report.places import place
from scopelight.report.prediction.marks import are_times_predicted, marked, timed
from scopelight.report.sentences import IN_PART, steps_text
from scopelight.report.tables.text_table import Column, hlo_name, print_rows, say

PART_NAMES: Final[Mapping[StepPart, str]] = {
    "compute": template("computing"),
    "communication": template("communication not hidden"),
    "input": template("waiting for input"),
    "sync": template("reading results"),
    "transfer": template("transfers"),
    "compile": template("compiling"),
    "dispatch": template("launching"),
    "python": template("other Python"),
    "unexplained": template("unexplained"),
}
PREDICTED_PARTS: Final[Mapping[StepPart, str]] = {"communication": template("communication, unless something hides it")}
QUANTITIES: Final[Mapping[SummaryQuantity, str]] = {
    "step": template("step time"),
    "device-idle": template("devices idle, of the steps"),
    "host-idle": template("script on no core, of the steps"),
    "input": template("waiting for input, of the steps"),
    "model-flops": template("model FLOPs, of the peak (MFU)"),
    "executed-flops": template("executed FLOPs, of the peak (HFU)"),
    "bandwidth": template("memory bandwidth, of the peak"),
    "memory": template("most memory in use"),
}
_FEWEST: Final = 5


@marked
def render_overview(record: OverviewRecord, console: Console, *, base: Path, limit: int = _FEWEST) -> None:
    """Print where the steps went, what to do next, the first lines and ops, and what the run ran on."""
    say(console, (*heads(record), *closing(record.findings, "empty", "advice")))
    for number, each in enumerate(record.advice, 1):
        if number == 1:
            console.print()
        where = place(each, base)
        said = " ".join(filter(None, (worded(each, "terminal").text, saving_text(each))))
        say(console, (f"{number}. {f'{where}  ' if where else ''}{said}",))
    say_effects(record.effects, console)
    if record.lines or record.waiting_lines:
        console.print()
        print_rows(
            console, _line_columns(base, whole_of_lines(record)), [*record.lines[:limit], *record.waiting_lines[:limit]]
        )
    if record.ops:
        console.print()
        print_rows(console, _OP_COLUMNS, record.ops[:limit])
    environment = list(ran_on(record))
    if environment:
        console.print()
        say(console, environment)
    # The head has said why there is no step.
    say(console, closing((each for each in record.findings if each.code != IN_PART), "warning"))


@marked
def render_what_next(record: OverviewRecord, console: Console, *, base: Path) -> None:
    """Print the first lines of the overview, and its advice."""
    if not record.step_time.steps or not record.parts:
        return
    console.print()
    say(console, (text("Where the steps went: {parts}", parts=parts_text(record.parts)), *steady_text(record)))
    for number, each in enumerate(record.advice, 1):
        said = worded(each, "terminal")
        where = place(each, base)
        words = " ".join(filter(None, (said.text, saving_text(each), said.remedy)))
        say(console, (f"{number}. {f'{where}  ' if where else ''}{words}",))
    say_effects(record.effects, console)


def parts_text(parts: Mapping[StepPart, int]) -> str:
    """``computing 62.1 %, waiting for input 30.2 %, …``, the greatest first."""
    whole_ps = max(1, sum(parts.values()))
    ordered = sorted(parts.items(), key=lambda each: -each[1])
    names = {**PART_NAMES, **PREDICTED_PARTS} if are_times_predicted() else PART_NAMES
    return ", ".join(f"{text(names[name])} {timed(share(part / whole_ps))}" for name, part in ordered if part)


def steady_text(record: OverviewRecord) -> Iterator[str]:
    """Where some steps compile: that step time, input and advice are of the others."""
    steady = sum(each.is_steady for each in record.steps)
    if steady < len(record.steps):
        yield text(
            "Step time, waiting for input and advice are of the {steady} of {steps} steps in which nothing was"
            " compiled; recompilation, and where the steps went, of all",
            steady=steady,
            steps=len(record.steps),
        )


def figure_text(figure: SummaryFigure) -> str:
    """A figure as people read it: ``32.4 ms ± 0.5 ms (31.9 ms to 33.4 ms)``, ``≈38.2 %``."""
    if figure.value is None:
        return text("not known")
    if figure.quantity == "step" and figure.least == figure.greatest:
        return duration(figure.value)
    if figure.quantity == "step":
        return text(
            "{mean} ± {sigma} ({least} to {greatest})",
            mean=duration(figure.value),
            sigma=duration(figure.sigma or 0),
            least=duration(figure.least or 0),
            greatest=duration(figure.greatest or 0),
        )
    if figure.quantity == "memory":
        return byte_size(figure.value)
    if figure.at_least:
        return f"≥{share(figure.value)}"
    return timed(share(figure.value), is_estimated=figure.basis == "estimated")


def heads(record: OverviewRecord) -> Iterator[str]:
    """Whether it fits where it was predicted for, where the steps went, its figures and outliers; a sentence each."""
    yield from (in_terminal(each) for each in record.findings if each.code in VERDICTS)
    if record.step_time.steps:
        yield f"{steps_text(record.step_time)}: {parts_text(record.parts)}"
    yield from (in_terminal(each) for each in record.findings if each.code == IN_PART)
    yield from steady_text(record)
    for each in record.summary:
        if each.value is not None:
            yield f"{text(QUANTITIES[each.quantity])}: {figure_text(each)}"
    outliers = [each for each in record.steps if each.is_outlier]
    if outliers:
        named = [
            text("step {number} ({time})", number=each.number, time=duration(each.duration_ps))
            for each in outliers[:_FEWEST]
        ]
        if len(outliers) > _FEWEST:
            named.append(text("{number} more", number=len(outliers) - _FEWEST))
        yield text("Longer or shorter than most: {steps}", steps=", ".join(named))


def ran_on(record: OverviewRecord) -> Iterator[str]:
    """What the run ran on, or is predicted for, a sentence each."""
    environment = record.environment
    models = dict.fromkeys(each.model or each.name for each in environment.devices)
    if environment.devices:
        yield text(
            "Devices: {number} × {models}, hosts: {hosts}",
            number=max(len(environment.devices), record.predicted_devices or 1),
            models=", ".join(models),
            hosts=environment.hosts,
        )
    if environment.batch_size is not None:
        most = environment.batch_size_most
        yield text(
            "Batch size: {size} ({names})" if most is None else "Batch size: {size} to {most} ({names})",
            size=environment.batch_size,
            most=most,
            names=", ".join(map(printable, environment.batch_arguments[:_FEWEST])),
        )
    if environment.versions:
        yield ", ".join(f"{name} {version}" for name, version in environment.versions.items() if version)
    if environment.command:
        yield text("Command: {command}", command=printable(" ".join(environment.command)))
    if environment.flags:
        flags = (f"{name}={value}" for name, value in environment.flags.items())
        yield text("Settings: {flags}", flags=printable(" ".join(flags)))
    if environment.git_commit:
        changed = text(", with changes that are not committed") if environment.git_dirty else ""
        yield text("Commit: {commit}{changed}", commit=environment.git_commit[:12], changed=changed)


def share_of_line(row: OverviewLine) -> str:
    """Its share of the step, marked where it is estimated."""
    return timed(share(row.share_ratio), is_estimated=row.basis == "estimated")


def whole_of_lines(record: OverviewRecord) -> str:
    """What the shares of lines are of: of the step, where there is one."""
    return text("of the step") if record.step_time.steps else text("of the whole window")


def _line_columns(base: Path, whole: str) -> list[Column[OverviewLine]]:
    return [
        Column("line", lambda row: place(row, base)),
        Column(whole, share_of_line, right=True),
        Column("per step", lambda row: "" if row.per_step_ps is None else duration(row.per_step_ps), right=True),
        Column("what", what_of),
        Column("function", lambda row: row.function, most=40),
    ]


def what_of(row: OverviewLine) -> str:
    """What the time of a line is: ops that run, or a wait."""
    return text("runs") if row.kind is None else text("waits: {what}", what=text(CLASS_NAMES[row.kind]))


_OP_COLUMNS: Final[list[Column[OverviewOp]]] = [
    Column("op", lambda row: printable(row.primitive or row.category), most=28),
    hlo_name(lambda row: row.name),
    Column("of op time", lambda row: timed(share(row.share_ratio)), right=True),
    Column("cumulative", lambda row: timed(share(row.cumulative_ratio)), right=True),
    Column("per step", lambda row: "" if row.per_step_ps is None else duration(row.per_step_ps), right=True),
    Column("rate", lambda row: "" if not row.flops_per_s else timed(flop_rate(row.flops_per_s)), right=True),
]

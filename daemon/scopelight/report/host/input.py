"""The input of a script in the terminal."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from scopelight.analysis.host.input.graph_records import InputOperation, InputQueue
from scopelight.analysis.host.input.records import InputCategory, InputLine, InputRecord, InputSpread, InputStage
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.host.words import (
    CERTAINTIES,
    LEVELS,
    OPERATION_KINDS,
    QUANTITY_NAMES,
    QUEUE_KINDS,
    SHORT_WORK_NAMES,
    VERDICTS,
    WORK_NAMES,
)
from scopelight.report.language import text
from scopelight.report.numbers import bar, count, duration, share
from scopelight.report.places import place
from scopelight.report.tables.text_table import WIDEST_NAME, Column, Row, print_rows, say

_LineText = Callable[[str, int], str | None]
_UNKNOWN = ""


def render_input(
    record: InputRecord, console: Console, *, base: Path, limit: int, line_text: _LineText | None = None
) -> None:
    """Print the verdict with its lines, the device's side, the host's side, stages, queues and operations."""
    say(console, _heads(record))
    _table(console, _line_columns(base, line_text), record.lines[:limit])
    _table(console, _SPREAD_COLUMNS, record.spreads)
    _table(console, _CATEGORY_COLUMNS, [each for each in record.categories if each.time_ps])
    _table(console, _stage_columns(base, line_text), record.stages[:limit])
    _table(console, _queue_columns(base), record.queues)
    _table(console, _operation_columns(record, base), record.operations)
    if len(record.stages) > limit:
        say(console, [text("{shown} of {all} stages.", shown=count(limit), all=count(len(record.stages)))])
    if record.step_count:
        console.print()
    say(console, closing(record.findings))


def _table(console: Console, columns: Sequence[Column[Row]], rows: Sequence[Row]) -> None:
    if rows:
        console.print()
        print_rows(console, columns, rows)


def _heads(record: InputRecord) -> Iterator[str]:
    if not record.step_count:
        return
    steps = (
        text(
            "1 complete step" if record.step_count == 1 else "{steps} complete steps", steps=count(record.steady_steps)
        )
        if record.steady_steps == record.step_count
        else text("{steady} of {steps} steps", steady=count(record.steady_steps), steps=count(record.step_count))
    )
    if record.input_ratio is None or record.level is None:
        yield text("Input: how much of {steps} waits for it is not known.", steps=steps)
    else:
        yield text(
            "Input: {share} of the wall clock of {steps}, {level}.",
            share=share(record.input_ratio),
            steps=steps,
            level=text(LEVELS[record.level]),
        )
    if record.verdict is not None:
        yield text("Verdict: {verdict}.", verdict=text(VERDICTS[record.verdict]))
    if record.launches:
        one = "The one launch met an idle device." if record.idle_launches else "The one launch met no idle device."
        yield text(
            one if record.launches == 1 else "{idle} of {launches} launches met an idle device.",
            idle=count(record.idle_launches),
            launches=count(record.launches),
        )


def _line_columns(base: Path, line_text: _LineText | None) -> Sequence[Column[InputLine]]:
    return (
        Column("waits for input at", lambda row: place(row, base), is_place=True),
        Column("of the steps", lambda row: share(row.share_ratio), right=True),
        Column("", lambda row: bar(row.share_ratio)),
        Column("per step", lambda row: _estimated(duration(row.per_step_ps), row.basis), right=True),
        Column("code", lambda row: _code(row, line_text), most=WIDEST_NAME),
    )


def _estimated(said: str, basis: str | None) -> str:
    return f"≈ {said}" if basis == "estimated" else said


def _code(row: InputLine | InputStage, line_text: _LineText | None) -> str:
    code = None
    if line_text is not None and row.file is not None and row.line is not None:
        code = line_text(row.file, row.line)
    return printable((code or row.function).strip())


_SPREAD_COLUMNS: Sequence[Column[InputSpread]] = (
    Column("per step", lambda row: text(QUANTITY_NAMES[row.quantity])),
    Column("mean", lambda row: duration(row.mean_ps), right=True),
    Column("σ", lambda row: duration(row.sigma_ps), right=True),
    Column("least", lambda row: duration(row.least_ps), right=True),
    Column("most", lambda row: duration(row.greatest_ps), right=True),
    Column(
        "over devices", lambda row: f"{duration(row.least_device_ps)} … {duration(row.greatest_device_ps)}", right=True
    ),
)
_CATEGORY_COLUMNS: Sequence[Column[InputCategory]] = (
    Column("the host, in the window", lambda row: text(WORK_NAMES[row.work])),
    Column("time", lambda row: duration(row.time_ps), right=True),
    Column("share", lambda row: share(row.share_ratio), right=True),
    Column("", lambda row: bar(row.share_ratio)),
    Column("threads", lambda row: count(row.threads), right=True),
)


def _stage_columns(base: Path, line_text: _LineText | None) -> Sequence[Column[InputStage]]:
    return (
        Column("stage, in the window", lambda row: _stage_name(row, line_text), most=48),
        Column("count", lambda row: _UNKNOWN if row.count is None else count(row.count), right=True),
        Column("total", lambda row: _time(row.total_ps), right=True),
        Column("total", lambda row: _ratio(row.total_ratio), right=True),
        Column("self", lambda row: _estimated(_time(row.self_ps), row.basis), right=True),
        Column("self", lambda row: _ratio(row.self_ratio), right=True),
        Column("category", lambda row: text(SHORT_WORK_NAMES[row.work])),
        Column("threads", lambda row: count(row.threads), right=True),
        Column("of a core", lambda row: _ratio(row.core_ratio), right=True),
        Column("suspect in", lambda row: count(row.suspect_steps) if row.suspect_steps else _UNKNOWN, right=True),
        Column("line", lambda row: place(row, base), is_place=True),
    )


def _stage_name(row: InputStage, line_text: _LineText | None) -> str:
    if row.kind == "line":
        return _code(row, line_text)
    if row.kind == "worker":
        return text("worker process {pid}", pid=row.name)
    return printable(row.name)


def _time(time_ps: int | None) -> str:
    return _UNKNOWN if time_ps is None else duration(time_ps)


def _ratio(ratio: float | None) -> str:
    return _UNKNOWN if ratio is None else share(ratio)


def _queue_columns(base: Path) -> Sequence[Column[InputQueue]]:
    return (
        Column("queue", lambda row: printable(row.name), most=32),
        Column("kind", lambda row: text(QUEUE_KINDS[row.kind])),
        Column("holds", _holds, right=True),
        Column("use", lambda row: _ratio(row.use_ratio), right=True),
        Column("empty", lambda row: _of_gets(row.empty_gets, row.gets), right=True),
        Column("full", lambda row: _of_gets(row.full_gets, row.gets), right=True),
        Column("filled by", lambda row: printable(", ".join(row.producers)), most=24),
        Column("taken at", lambda row: place(row, base), is_place=True),
    )


def _holds(row: InputQueue) -> str:
    if row.mean_held is None:
        return _UNKNOWN
    mean = f"{row.mean_held:.1f}"
    return mean if row.capacity is None else text("{mean} of {capacity}", mean=mean, capacity=count(row.capacity))


def _of_gets(number: int, gets: int) -> str:
    if not gets:
        return _UNKNOWN
    return text("{number} of 1 get" if gets == 1 else "{number} of {gets} gets", number=count(number), gets=count(gets))


def _operation_columns(record: InputRecord, base: Path) -> Sequence[Column[InputOperation]]:
    names = {each.key: operation_name(each) for each in record.operations}
    return (
        Column("operation", operation_name, most=40),
        Column("kind", lambda row: text(OPERATION_KINDS[row.kind])),
        Column("reads from", lambda row: ", ".join(names[each] for each in row.inputs if each in names), most=32),
        Column("workers", lambda row: _UNKNOWN if row.workers is None else count(row.workers), right=True),
        Column("busy in the window", lambda row: _ratio(row.busy_ratio), right=True),
        Column("of a core", lambda row: _ratio(row.core_ratio), right=True),
        Column("waits for a core", lambda row: _ratio(row.core_waiting_ratio), right=True),
        Column(
            "runs in",
            lambda row: text("processes of {name}", name=names[row.runs_in]) if row.runs_in in names else "",
            most=32,
        ),
        Column("", lambda row: _UNKNOWN if row.suspected is None else text(CERTAINTIES[row.suspected])),
        Column("line", lambda row: place(row, base), is_place=True),
    )


def operation_name(row: InputOperation) -> str:
    """What an operation is called; by its kind where it has no name of its own."""
    return printable(row.name) or text(OPERATION_KINDS[row.kind])

"""The threads of a host in the terminal."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
from rich.console import Console

from scopelight.analysis.host.threads.records import (
    HostLine,
    HostQueueRecord,
    HostThreadRecord,
    HostThreadsRecord,
)
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.host.waiting import classes_text
from scopelight.report.language import text
from scopelight.report.numbers import bar, count, duration, share
from scopelight.report.places import place
from scopelight.report.tables.text_table import WIDEST_NAME, Column, print_rows, say

_LINES_OF_A_THREAD = 5


@attrs.frozen
class _Stood:
    """A line of a thread, with the thread's name in the first of them."""

    thread: str
    line: HostLine
    is_estimated: bool


def render_host(record: HostThreadsRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the threads, the lines on which each stood longest, queues, and what was recorded no more."""
    if record.threads:
        say(console, _heads(record))
        console.print()
        print_rows(console, _thread_columns(record.window_ps), record.threads[:limit])
        stood = [each for thread in record.threads[:limit] for each in _stood(thread)]
        if stood:
            console.print()
            print_rows(console, _line_columns(base), stood)
        if record.queues:
            console.print()
            print_rows(console, _QUEUE_COLUMNS, record.queues)
        if len(record.threads) > limit:
            said = text("{shown} of {all} threads.", shown=count(limit), all=count(len(record.threads)))
            say(console, [said])
        for each in record.dark:
            said = text(
                "Lines of {function} ({place}) were told apart no more: that would have slowed the script.",
                function=printable(each.function),
                place=place(each, base),
            )
            say(console, [said])
        console.print()
    say(console, closing(record.findings))


def _heads(record: HostThreadsRecord) -> Iterator[str]:
    threads, is_one = count(len(record.threads)), len(record.threads) == 1
    window = duration(record.window_ps)
    if record.python is None:
        yield text(
            "1 thread in a window of {window}." if is_one else "{threads} threads in a window of {window}.",
            threads=threads,
            window=window,
        )
    else:
        yield text(
            "1 thread in a window of {window}, Python {python}."
            if is_one
            else "{threads} threads in a window of {window}, Python {python}.",
            threads=threads,
            window=window,
            python=printable(record.python),
        )


def _thread_columns(window_ps: int) -> Sequence[Column[HostThreadRecord]]:
    return (
        Column("thread", lambda row: printable(row.name), most=36),
        Column("launches", lambda row: count(row.launches) if row.launches else "", right=True),
        Column("known", lambda row: share(row.known_ps / max(1, window_ps)), right=True),
        Column("of the window, percent", lambda row: classes_text(row.states_ps, window_ps)),
        Column("outside of your code", lambda row: _elsewhere(row, window_ps), right=True),
        Column("garbage collections", _collections, right=True),
    )


def _elsewhere(row: HostThreadRecord, window_ps: int) -> str:
    return share(row.elsewhere_ps / max(1, window_ps)) if row.elsewhere_ps else ""


def _collections(row: HostThreadRecord) -> str:
    if not row.collections:
        return ""
    return text(
        "{number}, {time}, at most {longest}",
        number=count(row.collections),
        time=duration(row.collecting_ps),
        longest=duration(row.longest_collection_ps),
    )


def _stood(thread: HostThreadRecord) -> Iterator[_Stood]:
    for number, line in enumerate(thread.lines[:_LINES_OF_A_THREAD]):
        yield _Stood(printable(thread.name) if number == 0 else "", line, thread.basis == "estimated")


def _line_columns(base: Path) -> Sequence[Column[_Stood]]:
    return (
        Column("thread", lambda row: row.thread, most=24),
        Column("stood at", lambda row: place(row.line, base), is_place=True),
        Column("time", lambda row: f"{'≈ ' if row.is_estimated else ''}{duration(row.line.time_ps)}", right=True),
        Column("of the window", lambda row: share(row.line.share_ratio), right=True),
        Column("", lambda row: bar(row.line.share_ratio)),
        Column("with all it called", lambda row: duration(row.line.total_ps), right=True),
        Column("function", lambda row: printable(row.line.function), most=WIDEST_NAME),
    )


def _queue_holds(row: HostQueueRecord) -> str:
    if row.mean_held is None:
        return ""
    mean = f"{row.mean_held:.1f}"
    return mean if row.capacity is None else text("{mean} of {capacity}", mean=mean, capacity=count(row.capacity))


_QUEUE_COLUMNS: Sequence[Column[HostQueueRecord]] = (
    Column("queue", lambda row: printable(row.name), most=36),
    Column("holds", _queue_holds, right=True),
    Column("readings", lambda row: count(row.readings), right=True),
    Column("who waited there", lambda row: printable(", ".join(row.waits)), most=WIDEST_NAME),
)

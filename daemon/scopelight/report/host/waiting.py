"""Waiting in words: why devices were idle, and on which lines."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from scopelight.analysis.records import LineRecord, LinesRecord, WaitingClass
from scopelight.report.cost_text import per_step
from scopelight.report.language import template, text
from scopelight.report.numbers import duration, share, whole_share

CLASS_NAMES: Final[Mapping[WaitingClass, str]] = {
    "compile": template("compiling"),
    "garbage-collection": template("garbage collection"),
    "release": template("jax freeing objects"),
    "input": template("input"),
    "callback": template("callbacks"),
    "transfer": template("transfers"),
    "sync": template("reading results"),
    "dispatch": template("launching"),
    "python": template("other Python"),
    "runtime": template("the runtime"),
    "untraced": template("not traced"),
    "unknown": template("not known"),
}
NOT_KNOWN: Final = ("unknown", "untraced")
_CELLS: Final = 5
_LEAST_RATIO: Final = 0.005
"""What is less of a whole is not named."""
MOST_CLASSES: Final = 4
_MOST_EXPOSURES: Final = 2


def whole_ps(line: LineRecord) -> int:
    """What a line has of the wall clock: while its ops ran, and while devices waited for it."""
    return line.wall_ps + line.waiting_ps


def inclusive_whole_ps(line: LineRecord) -> int:
    """The same with all that it called."""
    return line.inclusive_wall_ps + line.waiting_inclusive_ps


def is_mostly_waiting(line: LineRecord) -> bool:
    """Whether devices waited for a line longer than its ops ran."""
    return line.waiting_ps > line.wall_ps


def line_bar(line: LineRecord) -> str:
    """The share of a line as cells out of five, by its square root: ``▰`` for what ran, ``○`` for waiting."""
    return _bar(line.share_ratio, line.waiting_ps, whole_ps(line), ("▰", "○", "▱"))


def inclusive_bar(line: LineRecord) -> str:
    """The same of all that a line called, in cells that are dashed: ``╍`` for what ran, ``◌`` for waiting."""
    return _bar(line.inclusive_share_ratio, line.waiting_inclusive_ps, inclusive_whole_ps(line), ("╍", "◌", "·"))


def _bar(share_ratio: float, waiting_ps: int, of_ps: int, cells: tuple[str, str, str]) -> str:
    ran, waited, empty = cells
    level = math.sqrt(max(0.0, share_ratio))
    filled = min(_CELLS, math.ceil(round(level * _CELLS, 9)))
    of_waiting = waiting_ps / max(1, of_ps)
    waiting = round(filled * of_waiting)
    if 0 < of_waiting < 1 and filled > 1:
        waiting = min(filled - 1, max(1, waiting)) if share_ratio * of_waiting >= _LEAST_RATIO else 0
    rest = "·" if waiting == filled and filled else empty
    return ran * (filled - waiting) + waited * waiting + rest * (_CELLS - filled)


def classes_text(classes_ps: Mapping[WaitingClass, int], whole: int) -> str:
    """Percent of a whole by class, longest first, without those that round to nothing: ``input 88 sync 2``."""
    shown = [(name, time_ps / max(1, whole) * 100) for name, time_ps in classes_ps.items()]
    return " ".join(f"{text(CLASS_NAMES[name])} {percent:.0f}" for name, percent in shown if percent >= 0.5)


def idle_text(classes_ps: Mapping[WaitingClass, int], whole: int) -> str:
    """What idle time was, as shares of a whole: ``input 88.0 %, launching 1.6 %``; empty where nothing is known."""
    if not classes_ps.keys() - {"unknown"}:
        return ""
    shown = [(name, time_ps / max(1, whole)) for name, time_ps in classes_ps.items()]
    kept = [(name, ratio) for name, ratio in shown if ratio >= _LEAST_RATIO] or shown[:1]
    said = [f"{text(CLASS_NAMES[name])} {share(ratio)}" for name, ratio in kept[:MOST_CLASSES]]
    rest = sum(ratio for _, ratio in shown) - sum(ratio for _, ratio in kept[:MOST_CLASSES])
    return ", ".join([*said, *([text("other {share}", share=share(rest))] if rest >= _LEAST_RATIO else [])])


def waits_inclusive_text(line: LineRecord) -> str | None:
    """How long devices waited for all that a line called; None where ops of it ran longer than that."""
    if line.waiting_inclusive_ps <= line.inclusive_wall_ps:
        return None
    of_waiting = line.waiting_inclusive_ps / inclusive_whole_ps(line)
    per_step_ps = line.inclusive_per_step_ps
    time = duration(line.waiting_inclusive_ps) if per_step_ps is None else per_step(duration(per_step_ps * of_waiting))
    return text("device waits {time}", time=time)


def waits_text(line: LineRecord) -> str:
    """How long devices waited for a line: ``device waits 364 ms/step``, and whether that was for the compiler."""
    time = (
        duration(line.waiting_ps) if line.waiting_per_step_ps is None else per_step(duration(line.waiting_per_step_ps))
    )
    if line.waiting_classes.get("compile", 0) > line.waiting_ps / 2:
        return text("device waits {time} for the compiler", time=time)
    return text("device waits {time}", time=time)


def shares_text(line: LineRecord) -> str:
    """Why devices waited for a line, as shares of that: ``input 98 %, launching 2 %``."""
    shown = [(name, time_ps / max(1, line.waiting_ps)) for name, time_ps in line.waiting_classes.items()]
    kept = [(name, ratio) for name, ratio in shown if ratio >= _LEAST_RATIO]
    return ", ".join(f"{text(CLASS_NAMES[name])} {whole_share(ratio)}" for name, ratio in kept[:MOST_CLASSES])


def exposures_text(line: LineRecord, record: LinesRecord, place: Callable[[str | None, int], str]) -> Iterator[str]:
    """What exposed the waiting of a line, and what a step takes at best without it; ``place`` names a line.

    That the line itself did goes without saying.
    """
    syncs = {(each.path, each.line): each for each in record.syncs}
    others = [each for each in line.exposed_by if (each.path, each.line) != (line.path, line.line)]
    for each in others[:_MOST_EXPOSURES]:
        sync = syncs.get((each.path, each.line))
        where = place(each.path, each.line)
        ratio = whole_share(each.waiting_ps / max(1, line.waiting_ps))
        if sync is None:
            yield text("{share} of it comes after the wait for a result at {place}", share=ratio, place=where)
            continue
        yield text(
            "{share} of it comes after the wait for a result at {place}. Without that wait a step takes {time} at best"
            " (more, as host and device share cores)"
            if sync.shares_cores
            else "{share} of it comes after the wait for a result at {place}. Without that wait a step takes {time} at"
            " best",
            share=ratio,
            place=where,
            time=duration(sync.at_best_step_ps),
        )


def meanwhile_text(line: LineRecord, place: Callable[[str | None, int], str], name: Callable[[str], str]) -> str:
    """Where other threads stood while devices waited for a line; empty where none is known."""
    stood = [
        text("{thread} at {place} {share}", thread=name(each.thread or text("a thread")), place=where, share=ratio)
        for each in line.meanwhile
        for where, ratio in ((place(each.path, each.line), whole_share(each.share_ratio)),)
    ]
    return text("meanwhile {threads}", threads=", ".join(stood)) if stood else ""

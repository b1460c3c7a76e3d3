"""Sentences about the ops of a run: the head of what the terminal prints of them, and what follows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from scopelight.analysis.ops.records import OpRow, PeakRecord
from scopelight.analysis.records import ExtentRecord, ViewRecord
from scopelight.report.findings.worded import sentences
from scopelight.report.language import template, text
from scopelight.report.numbers import byte_rate, duration, flop_rate, flops
from scopelight.report.op_name import op_name, space_name
from scopelight.report.prediction.marks import timed
from scopelight.report.sentences import THREADS

NO_ESTIMATE: Final = template("no estimate")
"""In place of a time of which a prediction knows none."""
_MOST_NAMES = 3
_CORRECTIONS = frozenset(("bandwidth-half-stated",))
"""Codes of what says why a figure is not the one that is stated."""


def op_time_sentence(record: ViewRecord, op_time_ps: int, extent: ExtentRecord) -> str:
    """``3.20 s of op time on 4 devices over 20 complete steps``."""
    return f"{duration(op_time_ps)} of op time on {devices_text(record, extent.devices)} over {extent_text(extent)}"


def devices_text(record: ViewRecord, devices: int) -> str:
    """On how many devices the ops ran that a view is of: ``4 devices``; ``each of 8 devices``, which do the same."""
    alike = record.predicted_devices or 1
    if alike > 1:
        return f"each of {alike} devices"
    return f"{devices} device{'s' if devices != 1 else ''}"


def threads_sentence(op_time_ps: int, extent: ExtentRecord) -> Iterator[str]:
    """Why there is more op time than wall clock, where there is."""
    if op_time_ps > extent.duration_ps * extent.devices:
        yield text(THREADS)


def extent_text(extent: ExtentRecord) -> str:
    """What sums are over: ``5 complete steps``, ``the whole window, 1.20 s``."""
    if extent.kind == "program":
        return "one run of the program"
    if extent.kind == "steps":
        return f"{extent.steps} complete step{'s' if extent.steps != 1 else ''}"
    if extent.kind == "outside":
        return f"the time outside of complete steps, {duration(extent.duration_ps)}"
    return f"the whole window, {duration(extent.duration_ps)}"


def note_sentences(rows: Iterable[OpRow]) -> Iterator[str]:
    """What is to be known of the figures of rows: ``dot_general · a.py:3 and 3 more: moves bytes …``."""
    names: dict[str, dict[str, None]] = {}
    for row in rows:
        for each in row.findings:
            # Many ops of a line are called the same.
            names.setdefault(sentences(each, "terminal"), {})[op_name(row, row.name)[0]] = None
    for note, of in names.items():
        shown = ", ".join(list(of)[:_MOST_NAMES])
        more = f" and {len(of) - _MOST_NAMES} more" if len(of) > _MOST_NAMES else ""
        yield f"{shown}{more}: {note[:1].lower()}{note[1:]}"


def peak_sentences(peaks: Sequence[PeakRecord]) -> Iterator[str]:
    """What the devices can do at most, a sentence for all that can do the same: ``Peak of /device:TPU:0 …``."""
    alike: dict[tuple[object, ...], list[PeakRecord]] = {}
    for peak in peaks:
        rates_of = (_items(peak.flops_per_s), _items(peak.bytes_per_s), peak.cache_bytes_per_s)
        key = (rates_of, peak.basis, peak.from_table, peak.corrected, peak.model)
        alike.setdefault(key, []).append(peak)
    for same in alike.values():
        rates = [f"{flop_rate(rate)} {kind}" for kind, rate in same[0].flops_per_s.items()]
        rates.extend(f"{byte_rate(rate)} {space_name(space)}" for space, rate in same[0].bytes_per_s.items())
        if same[0].cache_bytes_per_s is not None:
            rates.append(f"{byte_rate(same[0].cache_bytes_per_s)} caches")
        name = same[0].model
        whose = name or same[0].device
        if len(same) > 1:
            whose = f"each of {len(same)} × {name}" if name else f"{len(same)} devices each"
        table = f", but {', '.join(same[0].from_table)} from the table" if same[0].from_table else ""
        yield f"Peak of {whose} ({_basis(same[0])}{table}): {', '.join(rates)}"
        yield from (sentences(each, "terminal") for each in same[0].sources if each.code in _CORRECTIONS)


def _basis(peak: PeakRecord) -> str:
    """``stated``, ``stated, but main memory corrected``."""
    if not peak.corrected:
        return peak.basis
    stated = "stated" if peak.basis == "corrected" else peak.basis
    return f"{stated}, but {', '.join(map(space_name, peak.corrected))} corrected"


def work(amount: int | None, unknown: str = "?") -> str:
    """FLOPs, ``–`` where there are none, ``unknown`` where they are not known."""
    return unknown if amount is None else flops(amount) if amount else "–"


def rate(amount: int | None, wall_ps: int | None) -> str:
    """FLOPs per second over a time, as `work` writes what is nothing or unknown."""
    if not amount or not wall_ps:
        return work(amount) if not amount else ""
    return timed(flop_rate(amount / wall_ps * 10**12))


def bandwidth(amount: int | None, wall_ps: int | None) -> str:
    """Bytes per second over a time, as `work` writes what is nothing or unknown."""
    if amount is None:
        return "?"
    return timed(byte_rate(amount / wall_ps * 10**12)) if amount and wall_ps else "–"


def _items(rates: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(rates.items()))

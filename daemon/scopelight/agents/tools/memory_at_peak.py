"""``memory_at_peak``: what is in memory when most is."""

from collections.abc import Iterator
from typing import Any

import attrs

from scopelight.agents.answer import Answer, Section
from scopelight.agents.desk import Asked
from scopelight.agents.findings import advice_said, all_said, warned
from scopelight.agents.foreign import function_name, place_name, quoted
from scopelight.agents.lines import call_of_line, place_of
from scopelight.agents.tool import OfRun
from scopelight.analysis.memory.fit.records import ArgumentMemory, FitRecord, ProgramFit
from scopelight.analysis.memory.plan.records import MemoryBuffer, MemoryLine
from scopelight.analysis.memory.profile.records import MemoryProfileRecord, MemoryRecord, OutOfMemoryRecord
from scopelight.report.findings.prediction.fit import VERDICTS
from scopelight.report.memory.sentences import category_name
from scopelight.report.numbers import byte_size, count, share
from scopelight.report.sizes_of_whole import known_size, size_of_whole

_MOST_MEMORIES = 4
_MOST_BUFFERS = 5
_MOST_LINES = 12
_MOST_PROGRAMS = 3


@attrs.frozen
class MemoryAtPeakOptions(OfRun):
    """Which run."""


def memory_at_peak(asked: Asked[MemoryAtPeakOptions]) -> Answer:
    """What was measured, what the compiler planned, the lines that take it, and what would save some."""
    record: FitRecord = asked.own_record()
    measured: MemoryProfileRecord = asked.record("memory-profile")
    sections = []
    if measured.out_of_memory is not None:
        sections.append(_out_of_memory(asked, measured.out_of_memory))
    heads = [*all_said(each for each in record.findings if each.code in VERDICTS)]
    heads.extend(_measured(each) for each in measured.memories[:_MOST_MEMORIES])
    if len(measured.memories) > _MOST_MEMORIES:
        left = len(measured.memories) - _MOST_MEMORIES
        heads.append("1 more memory is left out." if left == 1 else f"{left} more memories are left out.")
    heads.extend(_program(each) for each in record.programs[:_MOST_PROGRAMS])
    if len(record.programs) > _MOST_PROGRAMS:
        left = len(record.programs) - _MOST_PROGRAMS
        which = "1 more program, which needs less, is" if left == 1 else f"{left} more programs, which need less, are"
        heads.append(f"{which} left out.")
    sections.append(Section(heads))
    shown: list[MemoryLine | ArgumentMemory] = sorted([*record.lines, *record.arguments], key=lambda each: -each.bytes)
    if record.peak_bytes is not None:
        sections.append(_lines(asked, record, shown))
        buffers = sorted(record.buffers, key=lambda each: -each.bytes)
        rows = [_buffer(asked, each) for each in buffers[:_MOST_BUFFERS]]
        sections.append(Section(["Largest buffers:"] if rows else [], rows, left_out=len(buffers) - len(rows)))
    savings = [f"saving {each.code} {place_name(each, asked.base)} {advice_said(each)}" for each in record.savings]
    sections.append(Section((), savings))
    sections.append(warned(each for each in record.findings if each.code not in VERDICTS))
    others = (each for each in record.findings if each.code not in VERDICTS and each.severity != "warning")
    sections.append(Section((), list(all_said(others))))
    if record.peak_bytes is None and not measured.memories:
        sections.append(Section((), list(all_said(measured.findings, "empty"))))
    placed = [each for each in record.lines if each.bytes]
    data = _data(asked, record, measured)
    if placed:
        return Answer(sections, data, call_of_line(asked, placed[0]), place_of(placed[0]))
    return Answer(sections, data, asked.call("summary"))


def _out_of_memory(asked: Asked[Any], record: OutOfMemoryRecord) -> Section:
    heads = ["The script ran out of memory.", *all_said(record.findings)]
    rows = [
        " ".join(
            filter(
                None,
                (
                    place_name(each, asked.base) or "(no line known)",
                    "" if each.bytes is None else byte_size(each.bytes),
                    " ".join(all_said(each.findings)),
                    f"(according to the {each.basis})",
                ),
            )
        )
        for each in record.culprits
    ]
    return Section(heads, rows)


def _measured(memory: MemoryRecord) -> str:
    of = known_size(memory.peak_bytes, memory.capacity_bytes)
    full = f" ({share(memory.peak_bytes / memory.capacity_bytes)})" if memory.capacity_bytes else ""
    return f"Measured: {quoted(memory.name)} held {of}{full} at its peak, by {memory.source}."


def _program(program: ProgramFit) -> str:
    needs = known_size(program.needed_bytes, program.available_bytes) or "an unknown amount"
    fits = {True: "fits", False: "does not fit", None: "whether it fits is not known"}[program.fits]
    return f"Planned by the compiler: program {quoted(program.name)} needs {needs}: {fits}."


def _lines(asked: Asked[Any], record: FitRecord, shown: list[MemoryLine | ArgumentMemory]) -> Section:
    estimated = "≈" if record.basis == "estimated" else ""
    peak_bytes = max(1, record.peak_bytes or 0)
    head = (
        f"At the peak of {quoted(record.module or '')} there are {estimated}{byte_size(peak_bytes)}:"
        f" {byte_size(record.rest_bytes or 0)} of no line and no argument. By line and argument:"
    )
    rows = [_row(asked, each, peak_bytes) for each in shown[:_MOST_LINES]]

    def rest(left: int) -> str:
        held = sum(each.bytes for each in shown[len(shown) - left :])
        return f"{left} more with {size_of_whole(held, peak_bytes)} {'is' if left == 1 else 'are'} left out."

    return Section([head], rows, rest, len(shown) - len(rows))


def _row(asked: Asked[Any], each: MemoryLine | ArgumentMemory, peak_bytes: int) -> str:
    size = f"{byte_size(each.bytes)}, {share(each.bytes / peak_bytes)} of the peak"
    padding = each.bytes - each.unpadded_bytes
    padded = f"; {byte_size(padding)} of it padding" if padding else ""
    if isinstance(each, ArgumentMemory):
        arrays = f"{count(each.arrays)} array{'s' if each.arrays != 1 else ''}"
        donated = f"; {byte_size(each.donated_bytes)} donated" if each.donated_bytes else "; not donated"
        return f"argument {quoted(each.name)}  {size}; {arrays}, largest {quoted(each.largest_shape)}{donated}{padded}"
    kept = f"; {byte_size(each.residual_bytes)} kept for the backward pass" if each.residual_bytes else ""
    function = f" in {function_name(each.function)}" if each.function else ""
    buffers = f"{count(each.count)} buffer{'s' if each.count != 1 else ''}"
    return f"{place_name(each, asked.base)}{function}  {size}; {buffers}{kept}{padded}"


def _buffer(asked: Asked[Any], each: MemoryBuffer) -> str:
    made_by = quoted(each.primitive or each.name or "unnamed")
    where = place_name(each, asked.base)
    what = "kept for the backward pass" if each.is_residual else category_name(each.category)
    return f"{byte_size(each.bytes)} {quoted(each.shape)} {what}, of {made_by}{f' on {where}' if where else ''}"


def _memories(measured: MemoryProfileRecord) -> Iterator[dict[str, Any]]:
    for each in measured.memories:
        yield {"memory": quoted(each.name)[1:-1], "peak_bytes": each.peak_bytes, "capacity_bytes": each.capacity_bytes}


def _data(asked: Asked[Any], record: FitRecord, measured: MemoryProfileRecord) -> dict[str, Any]:
    return {
        "program": None if record.module is None else quoted(record.module)[1:-1],
        "basis": record.basis,
        "peak_bytes": record.peak_bytes,
        "rest_bytes": record.rest_bytes,
        "programs": [
            {
                "program": quoted(each.name)[1:-1],
                "fits": each.fits,
                "needed_bytes": each.needed_bytes,
                "available_bytes": each.available_bytes,
            }
            for each in record.programs
        ],
        "lines": [
            {"line": place_name(each, asked.base), "bytes": each.bytes, "residual_bytes": each.residual_bytes}
            for each in record.lines
        ],
        "arguments": [{"argument": quoted(each.name)[1:-1], "bytes": each.bytes} for each in record.arguments],
        "measured": list(_memories(measured)),
        "savings": [
            {"code": each.code, "line": place_name(each, asked.base), "text": advice_said(each)}
            for each in record.savings
        ],
        "out_of_memory": measured.out_of_memory is not None,
    }

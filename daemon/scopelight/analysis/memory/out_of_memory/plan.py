"""Which lines the compiler planned memory for, of a program for which there was none."""

from collections.abc import Callable, Iterator, Sequence

import attrs

from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.lines import memory_lines_record
from scopelight.analysis.memory.plan.program_choice import ProgramChoice
from scopelight.analysis.memory.plan.records import MemoryLine, MemoryLinesRecord
from scopelight.analysis.memory.plan.viewer import viewed_program
from scopelight.analysis.memory.plan.views import memory_lines
from scopelight.analysis.memory.profile.program_at_peak import LEAST_BYTES
from scopelight.analysis.memory.profile.records import CulpritBasis, OutOfMemoryCulprit
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions
from scopelight.findings import Finding, note
from scopelight.formats.errors import FormatError
from scopelight.model.profile import Profile
from scopelight.program.memory.buffers import ModuleBuffers

LEAST_SHARE_RATIO = 0.01
"""Of what was alive: lines with less are no culprits."""


def planned_culprits(profile: Profile, options: LineOptions) -> list[OutOfMemoryCulprit]:
    """Lines at the peak of the program that did not fit, by the compiler's own plan where that was kept."""
    program = profile.memory.without_room
    if program is None:
        return []
    try:
        record = memory_lines(Subject.of(attrs.evolve(profile, programs=(program,)), options), ProgramMemoryOptions())
    except FormatError:
        # The plan is cut off where the compiler was killed; the message still says what it says.
        return []
    return _at_the_peak(record)


def temporary_culprits(
    profile: Profile, choice: ProgramChoice, options: LineOptions, requested_bytes: int
) -> list[OutOfMemoryCulprit]:
    """Lines of the temporaries of the program that asked for ``requested_bytes`` when it was to run.

    Temporaries are taken in one piece right before a program runs, of the size that the compiler planned: the program
    is known by it. A program of which one piece is of that size comes before one whose pieces are it together. Of
    several such programs the one with the largest peak is taken. Empty where no program plans such a piece.
    """
    for is_planned in (_has_piece, _has_together):
        for name, record in _programs_that(is_planned, profile, choice, options, requested_bytes):
            return _temporaries(name, record.lines, requested_bytes)
    return []


def result_culprits(
    profile: Profile, choice: ProgramChoice, options: LineOptions, requested_bytes: int, *, is_wait: bool
) -> list[list[OutOfMemoryCulprit]]:
    """Lines at the peak of each program whose results are ``requested_bytes``: one of them, or all that it takes.

    Where the script only waited for what was made before, and no program's results are that, the programs whose whole
    plan has room for it. Several programs tell that it may be any of them.
    """
    for is_planned in (_has_result, _is_whole, *((_is_within,) if is_wait else ())):
        found = [
            _at_the_peak(record, name)
            for name, record in _programs_that(is_planned, profile, choice, options, requested_bytes)
        ]
        if found:
            return found
    return []


def _programs_that(
    is_planned: Callable[[ModuleBuffers, int], bool],
    profile: Profile,
    choice: ProgramChoice,
    options: LineOptions,
    requested_bytes: int,
) -> Iterator[tuple[str, MemoryLinesRecord]]:
    """Names and lines of programs whose buffers the compiler assigned so, the largest peak first."""
    if requested_bytes < LEAST_BYTES:
        return
    for module in choice.modules:
        if module.peak_bytes is None:
            continue
        try:
            # None where the compiler assigned none: what was estimated is no size that anything asks for.
            buffers = choice.stored[module.program_id].buffers()
            if buffers is not None and is_planned(buffers, requested_bytes):
                yield module.name, memory_lines_record(viewed_program(profile, choice, module, options), 0)
        except FormatError:
            # What cannot be read names no lines; the request keeps its own.
            continue


def _has_piece(buffers: ModuleBuffers, size_bytes: int) -> bool:
    return size_bytes in _pieces(buffers)


def _has_together(buffers: ModuleBuffers, size_bytes: int) -> bool:
    return size_bytes == sum(_pieces(buffers))


def _pieces(buffers: ModuleBuffers) -> Sequence[int]:
    """Bytes of each allocation of temporaries in main memory."""
    return [each.bytes for each in buffers.allocations if not each.is_indefinite and each.memory_space == 0]


def _results(buffers: ModuleBuffers) -> Sequence[int]:
    """Bytes of each allocation of results in main memory that is no argument as well."""
    return [
        each.bytes
        for each in buffers.allocations
        if each.is_live_out and not each.is_parameter and each.memory_space == 0
    ]


def _has_result(buffers: ModuleBuffers, size_bytes: int) -> bool:
    results = _results(buffers)
    return size_bytes in results or size_bytes == sum(results)


def _is_whole(buffers: ModuleBuffers, size_bytes: int) -> bool:
    temporaries_and_results = sum(_pieces(buffers)) + sum(_results(buffers))
    return size_bytes in (temporaries_and_results, _whole(buffers))


def _is_within(buffers: ModuleBuffers, size_bytes: int) -> bool:
    return size_bytes <= _whole(buffers)


def _whole(buffers: ModuleBuffers) -> int:
    """Bytes of all that a program needs in main memory: arguments, results and temporaries."""
    return sum(each.bytes for each in buffers.allocations if not each.is_thread_local and each.memory_space == 0)


def _temporaries(program: str, lines: Sequence[MemoryLine], requested_bytes: int) -> list[OutOfMemoryCulprit]:
    found = []
    for line in lines:
        own = [buffer for buffer in line.buffers if buffer.category == "temporary"]
        size = sum(buffer.bytes for buffer in own)
        if own and size >= requested_bytes * LEAST_SHARE_RATIO:
            what = note(
                "temporaries-of-program", temporaries=len(own), program=program, largest_shape=own[0].shape or None
            )
            found.append(culprit(line, size, what))
    return sorted(found, key=lambda each: -(each.bytes or 0))


def _at_the_peak(record: MemoryLinesRecord, program: str | None = None) -> list[OutOfMemoryCulprit]:
    least_bytes = (record.peak_bytes or 0) * LEAST_SHARE_RATIO
    return [culprit(line, line.bytes, _buffers(line, program)) for line in record.lines if line.bytes >= least_bytes]


def culprit(line: MemoryLine, size_bytes: int, what: Finding, basis: CulpritBasis = "compiler") -> OutOfMemoryCulprit:
    """A line that has ``size_bytes`` in memory."""
    return OutOfMemoryCulprit(line.path, line.file, line.line, line.function, size_bytes, (what,), basis)


def _buffers(line: MemoryLine, program: str | None) -> Finding:
    return note(
        "buffers-at-the-peak",
        buffers=sum(buffer.count for buffer in line.buffers),
        program=program,
        largest_shape=(line.buffers[0].shape or None) if line.buffers else None,
    )

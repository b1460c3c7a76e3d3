"""What is asked of one thing in a comparison: the text around a line, and the memory of both sides."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scopelight.protocol.comparing import (
    ComparedCurve,
    ComparedLine,
    ComparedLines,
    ComparedLinesOptions,
    ComparedMemory,
    ComparedMemoryOptions,
)
from scopelight.report.language import text
from scopelight.server.documents.paths import checked_name
from scopelight.server.wire.faults import RequestFailed

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject
    from scopelight.protocol.comparing import ComparedWith
    from scopelight.server.session import Session

_ALIGNED_LINES = 60
"""On either side of the line: what is further away says little about what became of it."""
_SHOWN_LINES = 3
MOST_POINTS = 4000
"""Of a curve: more than a chart has pixels."""


async def compared_lines(session: Session, params: ComparedLinesOptions) -> ComparedLines:
    """The text around a line, as a patch has it."""
    opened = await session.comparisons.opened(_sides(session))
    before = (None if params.before_file is None else checked_name(params.before_file), params.before_line)
    after = (None if params.after_file is None else checked_name(params.after_file), params.after_line)
    return await session.work.quick(functools.partial(_around, opened.before[0], opened.after[0], before, after))


async def compared_memory(session: Session, params: ComparedMemoryOptions) -> ComparedMemory:  # noqa: ARG001
    """The memory of the program that needs most, on both sides."""
    opened = await session.comparisons.opened(_sides(session))
    return await session.work.run("long", lambda: ComparedMemory(_memory(opened.before[0]), _memory(opened.after[0])))


def _sides(session: Session) -> ComparedWith:
    sides = session.comparisons.shown
    if sides is None:
        raise RequestFailed(text("The run that is shown is not compared with another."))
    return sides


Place = tuple[str | None, int | None]


def _around(before: Subject, after: Subject, earlier: Place, later: Place) -> ComparedLines:
    one, first = _near(_lines(before, earlier[0] or later[0]), earlier[1] or later[1])
    other, second = _near(_lines(after, later[0] or earlier[0]), later[1] or earlier[1])
    patch = list(_patch(one, first, other, second))
    at = [
        number
        for number, each in enumerate(patch)
        if (later[1] is not None and each.after_line == later[1])
        or (earlier[1] is not None and each.before_line == earlier[1])
    ]
    if not at:
        return ComparedLines(())
    return ComparedLines(tuple(patch[max(0, at[0] - _SHOWN_LINES) : at[-1] + _SHOWN_LINES + 1]))


def _near(lines: Sequence[str], line: int | None) -> tuple[Sequence[str], int]:
    """The lines around one, and the number of the first of them."""
    first = max(1, (line or 1) - _ALIGNED_LINES)
    return lines[first - 1 : (line or 1) + _ALIGNED_LINES], first


def _patch(before: Sequence[str], first: int, after: Sequence[str], second: int) -> Iterator[ComparedLine]:
    for kind, i, j, k, n in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            for offset, line in enumerate(after[k:n]):
                yield ComparedLine(first + i + offset, second + k + offset, line)
            continue
        for offset, line in enumerate(before[i:j]):
            yield ComparedLine(first + i + offset, None, line)
        for offset, line in enumerate(after[k:n]):
            yield ComparedLine(None, second + k + offset, line)


def _lines(subject: Subject, file: str | None) -> Sequence[str]:
    from scopelight.source.recorded import RecordedSources  # noqa: PLC0415

    capture = subject.profile.capture
    if capture is None or file is None:
        return ()
    sources = RecordedSources(capture.sources, capture.cwd, subject.line_options.renamed)
    return sources.lines(file) or ()


def _memory(subject: Subject) -> ComparedCurve | None:
    from scopelight.analysis.memory.options import ProgramMemoryOptions  # noqa: PLC0415
    from scopelight.analysis.memory.plan.views import memory_viewer  # noqa: PLC0415

    record = memory_viewer(subject, ProgramMemoryOptions())
    sizes = record.timeline.bytes if record.execution is None else record.execution.bytes
    if not sizes:
        return None
    return ComparedCurve(record.module or "", record.peak_bytes, _thinned(sizes))


def _thinned(sizes: Sequence[int]) -> tuple[int, ...]:
    """No more points than are seen, each the greatest of those that it stands for, so that the peak is there."""
    each = -(-len(sizes) // MOST_POINTS)
    return tuple(max(sizes[start : start + each]) for start in range(0, len(sizes), each))

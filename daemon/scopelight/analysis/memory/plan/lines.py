"""Memory by line: which lines of source the bytes at a program's peak are for."""

from collections import defaultdict
from collections.abc import Sequence

from scopelight.analysis.memory.plan.program_choice import ProgramChoice
from scopelight.analysis.memory.plan.records import MemoryBuffer, MemoryLine, MemoryLinesRecord, MemoryModule
from scopelight.analysis.memory.plan.viewer import ViewedProgram, viewed_space, why_empty
from scopelight.findings import Finding, empty, show_view
from scopelight.model.profile import Profile


def no_memory_lines(
    profile: Profile, choice: ProgramChoice, module: MemoryModule | None, memory_space: int | None
) -> MemoryLinesRecord:
    """The record where there is no program, or one that cannot be read: it says why."""
    return MemoryLinesRecord(
        module=module.name if module is not None else None,
        program_id=module.program_id if module is not None else None,
        memory_space=memory_space or 0,
        findings=(why_empty(profile, choice, module), *profile.findings, *choice.findings),
    )


def memory_lines_record(
    viewed: ViewedProgram, memory_space: int | None, findings: Sequence[Finding] = ()
) -> MemoryLinesRecord:
    """The lines of a program that was read. Every buffer at the peak goes to the line that defines it.

    Raises ``LookupError`` where the program has nothing in the memory space.
    """
    space = viewed_space(viewed, memory_space)
    of_line: dict[tuple[str | None, str | None, int], list[MemoryBuffer]] = defaultdict(list)
    unattributed = 0
    for row in viewed.rows.alive_at(space, space.peak_position):
        if row.line is None:
            unattributed += row.bytes
        else:
            of_line[row.path, row.file, row.line].append(row)
    lines = [_line(*place, rows) for place, rows in of_line.items()]
    lines.sort(key=lambda line: (-line.bytes, line.path or "", line.line))
    why_none = () if lines else (_without_lines(viewed, unattributed),)
    return MemoryLinesRecord(
        module=viewed.module.name,
        program_id=viewed.module.program_id,
        memory_space=space.number,
        basis=space.basis,
        peak_bytes=space.peak_bytes,
        unattributed_bytes=unattributed,
        lines=tuple(lines),
        findings=(*why_none, *findings),
    )


def _line(path: str | None, file: str | None, line: int, rows: Sequence[MemoryBuffer]) -> MemoryLine:
    largest = sorted(rows, key=lambda row: -row.bytes)
    return MemoryLine(
        key=largest[0].line_key or "",
        path=path,
        file=file,
        line=line,
        function=largest[0].function or "",
        count=len(rows),
        bytes=sum(row.bytes for row in rows),
        unpadded_bytes=sum(row.unpadded_bytes for row in rows),
        residual_bytes=sum(row.bytes for row in rows if row.is_residual),
        buffers=tuple(largest),
        basis="static",
    )


def _without_lines(viewed: ViewedProgram, unattributed: int) -> Finding:
    name = viewed.module.name
    if not unattributed:
        return empty("nothing-in-space", program=name, memory_space=None)
    if any(each.stack for each in viewed.memory.module.instructions):
        return empty("memory-of-no-line-of-yours", program=name)
    return empty("program-names-no-lines", show_view("memory-viewer"), program=name)

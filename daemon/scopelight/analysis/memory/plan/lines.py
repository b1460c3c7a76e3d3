"""Memory by line: which lines of source the bytes at a program's peak are for."""

from collections import defaultdict
from collections.abc import Sequence

from scopelight.analysis.memory.plan.program_choice import ProgramChoice
from scopelight.analysis.memory.plan.records import MemoryBuffer, MemoryLine, MemoryLinesRecord, MemoryModule
from scopelight.analysis.memory.plan.viewer import ViewedProgram, viewed_space, why_empty
from scopelight.model.profile import Profile


def no_memory_lines(
    profile: Profile, choice: ProgramChoice, module: MemoryModule | None, memory_space: int | None
) -> MemoryLinesRecord:
    """The record where there is no program, or one that cannot be read: it says why."""
    reason, remedy = why_empty(profile, choice, module)
    return MemoryLinesRecord(
        module=module.name if module is not None else None,
        program_id=module.program_id if module is not None else None,
        memory_space=memory_space or 0,
        basis=None,
        peak_bytes=None,
        unattributed_bytes=None,
        lines=(),
        warnings=(*profile.warnings, *choice.warnings),
        reason=reason,
        remedy=remedy,
    )


def memory_lines_record(
    viewed: ViewedProgram, memory_space: int | None, warnings: Sequence[str] = ()
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
    reason, remedy = (None, None) if lines else _without_lines(viewed, unattributed)
    return MemoryLinesRecord(
        module=viewed.module.name,
        program_id=viewed.module.program_id,
        memory_space=space.number,
        basis=space.basis,
        peak_bytes=space.peak_bytes,
        unattributed_bytes=unattributed,
        lines=tuple(lines),
        warnings=tuple(warnings),
        reason=reason,
        remedy=remedy,
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


def _without_lines(viewed: ViewedProgram, unattributed: int) -> tuple[str, str]:
    if not unattributed:
        return f"{viewed.module.name} keeps nothing in this memory.", "Choose another program or memory space."
    if any(each.stack for each in viewed.memory.module.instructions):
        return (
            f"All that {viewed.module.name} has in memory at its peak was passed to it, or is of no line of yours.",
            "Choose another program, or open the folder that its lines are in.",
        )
    return (
        f"The program {viewed.module.name} names no lines of source.",
        "Capture again with `scopelight run`, which keeps the compiled programs with their source positions.",
    )

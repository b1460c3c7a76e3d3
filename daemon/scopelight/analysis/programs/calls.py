"""Which line of the user's calls a program, by the stacks of its ops."""

from collections.abc import Mapping

from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.launching import call_stack
from scopelight.program.hlo.frames import Frame


def calling_lines(centre: Centre) -> Mapping[tuple[str, str], Frame]:
    """By a program's id and name the line that calls it, of those whose ops tell."""
    programs = centre.executions.programs
    stacks: list[list[tuple[Frame, ...]]] = [[] for _ in programs]
    for op in centre.executions.ops:
        if op.program >= 0 and op.stack:
            stacks[op.program].append(op.stack)
    found: dict[tuple[str, str], Frame] = {}
    for program, of_program in zip(programs, stacks, strict=True):
        if user := centre.frames.of(call_stack(program.name, of_program)):
            found.setdefault((program.program_id, program.name), user[0])
    return found

"""Which line of the user's calls a program, by the stacks of its ops."""

from collections.abc import Sequence

from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.launching import call_stack
from scopelight.program.hlo.frames import Frame


def calling_lines(centre: Centre, names: Sequence[str]) -> Sequence[Frame | None]:
    """By row of ``Executions.programs``, whose ``names`` are given, the line that calls it; None where no op tells."""
    stacks: list[list[tuple[Frame, ...]]] = [[] for _ in names]
    for op in centre.executions.ops:
        if op.program >= 0 and op.stack:
            stacks[op.program].append(op.stack)
    found = []
    for name, of_program in zip(names, stacks, strict=True):
        user = centre.frames.of(call_stack(name, of_program))
        found.append(user[0] if user else None)
    return found

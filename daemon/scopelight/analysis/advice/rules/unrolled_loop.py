"""Unrolled loop: a loop of Python puts the same layers into a program many times, which takes long to compile."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.totals.names import shape_text
from scopelight.findings import show_view
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import HloModule
from scopelight.program.hlo.products import PRODUCTS
from scopelight.program.phases.phase import Phase
from scopelight.program.phases.phases import module_phases

_LEAST_COPIES: Final = 8
_LEAST_INSTRUCTIONS: Final = 1000


def unrolled_loop(observed: Observed) -> Iterator[Advice]:
    """`jax.lax.scan` compiles the body of a loop once. What that saves is no part of a step."""
    for module in observed.step_modules:
        if len(module.instructions) < _LEAST_INSTRUCTIONS:
            continue
        found = _most_copied(observed, module)
        if found is None:
            continue
        frame, opcode, shape, copies = found
        yield observed.advice(
            "unrolled-loop",
            frame,
            is_by_text=True,
            confidence="medium",
            action=show_view("programs"),
            copies=copies,
            op=opcode,
            shape=shape,
            instructions=len(module.instructions),
        )
        return


def _most_copied(observed: Observed, module: HloModule) -> tuple[Frame, str, str, int] | None:
    """The head of a loop, and what its passes put into the program most often: opcode, shape and number in a phase."""
    phases = module_phases(module)
    copies: Counter[tuple[Frame, str, str]] = Counter()
    for row, instruction in enumerate(module.instructions):
        if instruction.opcode in PRODUCTS and phases[row] == Phase.FORWARD:
            head = _loop_around(observed, observed.centre.frames.of(instruction.stack))
            if head is not None:
                copies[head, instruction.opcode, shape_text(instruction.shape)] += 1
    for (frame, opcode, shape), number in copies.most_common(1):
        return (frame, opcode, shape, number) if number >= _LEAST_COPIES else None
    return None


def _loop_around(observed: Observed, user: tuple[Frame, ...]) -> Frame | None:
    """The head of the innermost loop of Python that a frame stands in."""
    for frame in user:
        line = observed.sources.loop_around(frame.path, frame.line)
        if line is not None:
            return Frame(frame.path, line, frame.function)
    return None

"""Missing donation: a program makes new arrays beside old ones of the same sizes, which nothing needs any more."""

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.advice.syntax.replaced import compiled_function
from scopelight.analysis.memory.plan.program_memory import ProgramMemory, space_peaks
from scopelight.analysis.memory.plan.reusable_arguments import ReusableArgument, reusable_arguments
from scopelight.analysis.totals.waiting.launching import function_of_program
from scopelight.formats.errors import FormatError
from scopelight.program.hlo.frames import Frame
from scopelight.program.memory.liveness import estimated_buffers
from scopelight.program.stored import LoadedProgram

_LEAST: Final = 0.05
"""Of the program's peak."""
_LEAST_BYTES: Final = 2**16
"""What less would change nothing that anybody sees."""


def missing_donation(observed: Observed) -> Iterator[Advice]:
    """An array that may be reused takes its place once: of all that every call rebinds.

    At best the program then needs what the values in it need where each lies in memory for as long as it is read, and
    results lie in the arguments that they replace.
    """
    for stored in observed.step_programs:
        try:
            loaded = stored.load()
            memory = ProgramMemory(loaded).space(0)
        except FormatError:
            continue
        kept = reusable_arguments(loaded.module, loaded.schedule)
        if sum(each.bytes for each in kept) < _LEAST * memory.peak_bytes:
            continue
        yield from _of_program(observed, loaded, kept, memory.peak_bytes)


def _of_program(
    observed: Observed, loaded: LoadedProgram, kept: Sequence[ReusableArgument], peak_bytes: int
) -> Iterator[Advice]:
    module = loaded.module
    function = compiled_function(module, observed.centre.user_files, observed.sources)
    if function is None:
        return
    saved = [each for each in kept if each.argument in function.replaced]
    donated_bytes = sum(each.bytes for each in saved)
    saved_bytes = min(donated_bytes, peak_bytes - _peak_with(loaded, saved))
    if donated_bytes < _LEAST * peak_bytes or saved_bytes < _LEAST_BYTES:
        return
    donated = tuple(each for each in function.arguments if any(one.argument == each for one in saved))
    yield observed.advice(
        "missing-donation",
        Frame(function.jit.path, function.jit.line, function.definition.name),
        saving_bytes=saved_bytes,
        basis="bytes",
        is_by_text=True,
        confidence="high",
        evidence=[observed.centre.program_key(module.program_id, module.name)],
        action=function.donate(donated),
        function=function_of_program(module.name),
        names=tuple(each.name for each in saved),
        arguments=donated,
        donated_bytes=donated_bytes,
        peak_bytes=peak_bytes,
    )


def _peak_with(loaded: LoadedProgram, donated: Sequence[ReusableArgument]) -> int:
    """What the program would keep at its peak if these arguments were given up for results."""
    schedule = attrs.evolve(loaded.schedule, aliases=(*loaded.schedule.aliases, *(each.alias for each in donated)))
    return space_peaks(estimated_buffers(loaded.module, schedule)).get(0, 0)

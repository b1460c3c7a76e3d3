"""What would make a program need less memory, each by itself, as its compiler's plan has it; the most first."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from scopelight.analysis.advice.records import Advice
from scopelight.analysis.memory.fit.donation import donation
from scopelight.analysis.memory.fit.padding import padding
from scopelight.analysis.memory.fit.planned import PlannedProgram
from scopelight.analysis.memory.fit.recomputation import recomputation
from scopelight.analysis.memory.fit.sharding import sharding

_SAVING: Final[Sequence[Callable[[PlannedProgram], Iterator[Advice]]]] = (donation, recomputation, sharding, padding)
_LEAST: Final = 0.01
"""Of what the program needs."""
_MUCH: Final = 0.7
"""Of what there is: what needs less needs no advice."""
MOST: Final = 10


def savings(program: PlannedProgram) -> Sequence[Advice]:
    """What would save the most; nothing where the program has room."""
    fit = program.fit
    if fit.fits is not False and program.needed_bytes < _MUCH * (fit.available_bytes or 0):
        return []
    found = [each for saving in _SAVING for each in saving(program)]
    found = [each for each in found if (each.saving_bytes or 0) >= _LEAST * program.needed_bytes]
    return sorted(found, key=lambda each: -(each.saving_bytes or 0))[:MOST]

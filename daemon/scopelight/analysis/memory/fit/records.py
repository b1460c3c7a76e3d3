"""Records of whether programs fit into memory."""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.advice.records import Advice
from scopelight.analysis.memory.plan.records import MemoryBasis, MemoryBuffer, MemoryLine
from scopelight.analysis.records import ViewRecord
from scopelight.model.run.prediction import PredictedOutcome

NeededBasis = Literal["plan", "message"]
"""Whether it is the sum of the compiler's plan, or what its message says, rounded to two digits."""


@attrs.frozen(slots=True)
class ProgramFit:
    """Whether a program fits into the main memory of each device that it runs on, if nothing else is there.

    ``program_id`` is `MemoryModule.program_id`, None where the compiler left nothing of it. ``fits`` is the compiler's
    word where it has one, else ``needed_bytes`` of all that it planned against ``available_bytes``; None where nothing
    says it. ``peak_bytes`` is what of the plan is in use at once: the rest are gaps between buffers.
    """

    key: str | None
    name: str
    program_id: str | None
    outcome: PredictedOutcome | None
    partitions: int | None
    fits: bool | None
    needed_bytes: int | None
    available_bytes: int | None
    peak_bytes: int | None = None
    basis: MemoryBasis | None = None
    needed_basis: NeededBasis | None = None


@attrs.frozen(slots=True)
class ArgumentMemory:
    """What an argument of a program takes at its peak: all arrays in it.

    ``donated_bytes`` of it are given up for results.
    """

    name: str
    arrays: int
    bytes: int
    unpadded_bytes: int
    donated_bytes: int
    largest_shape: str


@attrs.frozen(slots=True)
class FitRecord(ViewRecord):
    """Whether each program of a run fits, and of one of them the lines, arguments and buffers at its peak.

    ``target`` is a cloud's name of what the programs were compiled for, ``device`` what its ``devices`` are; None where
    they ran. The ``programs`` that do not fit come first, then those that need most. The bytes of the ``lines`` and
    ``arguments`` and ``rest_bytes`` sum to ``peak_bytes``, exactly. Each of the ``savings`` is what would be saved by
    itself: together they may save less.
    """

    ROWS: ClassVar = "lines"

    target: str | None = None
    device: str | None = None
    devices: int | None = None
    compiler: str | None = None
    programs: tuple[ProgramFit, ...] = ()
    module: str | None = None
    program_id: str | None = None
    basis: MemoryBasis | None = None
    peak_bytes: int | None = None
    rest_bytes: int | None = None
    lines: tuple[MemoryLine, ...] = ()
    arguments: tuple[ArgumentMemory, ...] = ()
    buffers: tuple[MemoryBuffer, ...] = ()
    savings: tuple[Advice, ...] = ()

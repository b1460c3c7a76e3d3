"""What jax compiled while a script ran, as its capture wrote it down: a program a line."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from scopelight.formats.lenient import from_json, read_object
from scopelight.model.run.names import COMPILATIONS_FILE
from scopelight.program.hlo.frames import Frame

_LONGEST = 1 << 26
"""Bytes of the file: of a longer one the beginning is read."""


@attrs.frozen(slots=True)
class Compilation:
    """One program that went to the compiler.

    ``program`` is as jax names it (``jit(step)``), None where it does not. It ended at ``ended_ns`` of the epoch, after
    ``seconds`` in the compiler, ``lower_seconds`` before and, where its function was traced, ``trace_seconds`` before
    that: None where jax had traced it already. ``explanation`` is what jax says of why it was traced. ``stack`` are the
    user's frames that called it, innermost first.
    """

    ended_ns: int
    seconds: float
    program: str | None = None
    trace_seconds: float | None = None
    lower_seconds: float = 0.0
    explanation: str | None = None
    stack: tuple[Frame, ...] = ()

    @property
    def whole_seconds(self) -> float:
        """All that it took."""
        return self.seconds + self.lower_seconds + (self.trace_seconds or 0.0)


def read_compilations(run: Path | None) -> Sequence[Compilation]:
    """Those of a run directory in their order; none where nothing is written down. A damaged line is left out."""
    if run is None:
        return ()
    try:
        with (run / COMPILATIONS_FILE).open("rb") as file:
            lines = file.read(_LONGEST).splitlines()
    except OSError:
        return ()
    found = (from_json(read_object(line), Compilation) for line in lines)
    return [each for each in found if each is not None]

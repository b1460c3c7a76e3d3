"""Schema of ``compatibility.json``: what a TPU would do with each op that jax traced of a script's programs.

An op is an equation of jax's: each counts once, however often a loop or a call repeats it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import attrs

from scopelight.model.run.json_files import read_record, write_json
from scopelight.model.run.names import COMPATIBILITY_FILE
from scopelight.model.run.prediction import PlaceOfCall

OpVerdict = Literal["native", "emulated", "on-host", "refused", "unjudged"]
"""Computed as it is; computed as pairs of narrower numbers or as wider ones, for the TPU does not have its element
type; computed by the host; not computed at all, for jax or the compiler says no; or it is not known which."""

JudgedBy = Literal["kind", "program", "alone", "tracing", "nothing"]
"""What says so: the kind of op; that a program compiled which has it; jax or the compiler, of the op as a program of
its own; jax, which could not trace the call; or nothing did."""


@attrs.frozen(slots=True)
class JudgedOp:
    """An op by what its verdict depends on: all that are alike are one.

    ``operands`` and ``results`` are shapes, ``parameters`` what a person reads of the rest. ``wide`` are the element
    types in it that a TPU does not have. ``message`` is jax's or the compiler's, whose error is of a ``kind``.
    ``key`` is the same in every run.
    """

    key: str
    primitive: str
    verdict: OpVerdict
    judged_by: JudgedBy = "nothing"
    operands: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    parameters: str = ""
    wide: tuple[str, ...] = ()
    kind: str = ""
    message: str = ""


@attrs.frozen(slots=True)
class Occurrences:
    """One row for each place at which a program has an op ``count`` times.

    ``op``, ``stack`` and ``path`` are positions in the tables of `Compatibility`.
    """

    op: int
    stack: int
    path: int
    count: int


@attrs.frozen(slots=True)
class OpsOfProgram:
    """The ops of a program by its number in the prediction; four columns of the same length, as `Occurrences`."""

    number: int
    op: tuple[int, ...] = ()
    stack: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    count: tuple[int, ...] = ()

    @property
    def rows(self) -> Iterator[Occurrences]:
        """Each place."""
        return map(Occurrences, self.op, self.stack, self.path, self.count)


@attrs.frozen(slots=True)
class UntracedCall:
    """A call that jax could not trace: ``primitive`` is the function of jax that was called.

    ``stack`` is where, innermost frame first. What called it never became a program.
    """

    primitive: str
    kind: str
    message: str
    stack: tuple[PlaceOfCall, ...] = ()


@attrs.frozen(slots=True)
class LostProgram:
    """A program by its number whose ops, or some of them, are not known, and why."""

    number: int
    message: str = ""


@attrs.frozen(slots=True)
class Compatibility:
    """Of the programs of a run. ``stacks`` are positions in ``frames``, innermost first; ``paths`` are of names.

    ``is_whole``: the script told all of it before it ended.
    """

    ops: tuple[JudgedOp, ...] = ()
    frames: tuple[PlaceOfCall, ...] = ()
    stacks: tuple[tuple[int, ...], ...] = ()
    paths: tuple[str, ...] = ()
    programs: tuple[OpsOfProgram, ...] = ()
    untraced: tuple[UntracedCall, ...] = ()
    lost: tuple[LostProgram, ...] = ()
    is_whole: bool = True


def write_compatibility(run: Path, compatibility: Compatibility) -> None:
    """Write it into a run directory, in one step. Raises `OSError`."""
    write_json(run / COMPATIBILITY_FILE, attrs.asdict(compatibility), separators=(",", ":"))


def read_compatibility(run: Path) -> Compatibility | None:
    """That of a run directory; None where it has none that can be read."""
    return read_record(run / COMPATIBILITY_FILE, Compatibility)

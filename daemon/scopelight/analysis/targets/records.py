"""Records of predicted runs of one script that are compared, and of what was measured beside them."""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.records import ViewRecord

RunBasis = Literal["predicted", "measured"]
"""What a run's figures rest on: what a compiler expects of a device, or what was measured on one."""


@attrs.frozen(slots=True)
class ComparedRun:
    """One run in sum, of each device of its target. What is not known is None.

    ``name`` tells it from the others, ``run`` is its directory. ``target`` is the name of a cloud's that it is
    predicted for; None where it was measured, on ``devices`` of ``device``. Memory is that of ``program``, which fits
    least: ``needed_bytes`` of ``available_bytes``, at the peak ``peak_bytes``, ``peak_unpadded_bytes`` without padding.
    ``fits`` is None where of no program it is known. ``step_ps`` is what a step is estimated to take, or took; None
    where a program that is called does not fit, was refused or not compiled, for that may be the step; ``steps`` are
    those that it is over. ``padding_ratio`` is the part of the op time that goes into padding. Without an estimate are
    ``unestimated_executions`` in a step, which move ``unestimated_bytes_ratio`` of the bytes; both of a prediction.
    ``has_slices``: among them is what slices exchange over the network between them.
    """

    name: str
    run: str
    basis: RunBasis
    target: str | None
    device: str
    devices: int
    program: str | None = None
    fits: bool | None = None
    needed_bytes: int | None = None
    available_bytes: int | None = None
    peak_bytes: int | None = None
    peak_unpadded_bytes: int | None = None
    step_ps: float | None = None
    steps: int = 0
    padding_ratio: float | None = None
    unestimated_executions: int = 0
    unestimated_bytes_ratio: float | None = None
    has_slices: bool = False


@attrs.frozen(slots=True)
class ComparedFigures:
    """What a line has in one run: time in a step with its share, None each where there is no estimate of the step;
    bytes at the peak of the run's program, 0 where it has none; the part of its work that is no padding."""

    per_step_ps: int | None
    share_ratio: float | None
    peak_bytes: int | None
    peak_unpadded_bytes: int | None
    used_ratio: float | None


@attrs.frozen(slots=True)
class ComparedLine:
    """A line of source. ``figures`` has one of each run, in the order of ``runs``; None where the run lacks the line.

    ``key`` is the same in all runs, and in any other run of the script.
    """

    key: str
    path: str | None
    file: str | None
    line: int
    function: str
    figures: tuple[ComparedFigures | None, ...]


@attrs.frozen(slots=True)
class TargetsRecord(ViewRecord):
    """Predicted runs of one script side by side: ``runs`` in sum, and by line, those of the longest first.

    Runs that were measured on a TPU may stand beside them. ``predicted_for`` names the devices of the others.
    Lines are in the order of the most that they take of a step in any run, then of the bytes that they have.
    """

    ROWS: ClassVar = "lines"

    runs: tuple[ComparedRun, ...]
    lines: tuple[ComparedLine, ...]

"""Profile: one opened run, whatever it was made from."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from scopelight.model.executions import Executions, Int64, ProgramRuns
from scopelight.model.hlo import HloModule


@attrs.frozen(eq=False)
class StepMarks:
    """Host annotations that mark steps (``StepTraceAnnotation`` of any name), sorted by start.

    ``start_ps`` and ``duration_ps`` are the annotation's own span on the host, ``run_rows`` the program runs
    launched inside each (rows of ``Profile.runs``).
    """

    name: str
    number: Int64
    start_ps: Int64
    duration_ps: Int64
    run_rows: Sequence[Sequence[int]] = ()


@attrs.frozen(eq=False)
class HostSpans:
    """Merged spans in which the host compiled, sorted and disjoint."""

    start_ps: Int64
    duration_ps: Int64


@attrs.frozen
class CaptureInformation:
    """What ``run.json`` says of the capture; every field absent where it is not recorded."""

    script: str | None = None
    cwd: str | None = None
    command: tuple[str, ...] = ()
    exit_code: int | None = None
    warnings: tuple[str, ...] = ()
    sources: Path | None = None
    """Folder of the user's files as they were."""


@attrs.frozen(eq=False)
class Profile:
    """One opened run. Any table may be empty; ``warnings`` says what is missing and why."""

    path: Path
    executions: Executions
    runs: ProgramRuns
    modules: Sequence[HloModule]
    duration_ps: int
    """From the first event of the profile to the last."""
    device_steps: StepMarks | None = None
    """Events of a stored ``Steps`` line on a device."""
    step_marks: Sequence[StepMarks] = ()
    """Host annotations, one entry per name."""
    compiling: HostSpans | None = None
    capture: CaptureInformation | None = None
    warnings: Sequence[str] = ()

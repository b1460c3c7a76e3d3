"""Profile: one opened run, whatever it was made from."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from scopelight.model.executions import Executions, Int64, ProgramRuns
from scopelight.model.hlo import HloModule


@attrs.frozen(eq=False)
class StepMarks:
    """Host annotations that mark steps (``StepTraceAnnotation`` of any name), sorted by start.

    ``number`` is the annotated step number; ``start_ps`` and ``duration_ps`` are the annotation's own span.
    """

    name: str
    number: Int64
    start_ps: Int64
    duration_ps: Int64


@attrs.frozen(eq=False)
class Spans:
    """Sorted, disjoint spans of time."""

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
    window: Mapping[str, object] | None = None
    sources: Path | None = None
    """Folder of the user's files as they were."""
    directory: Path | None = None
    """The run directory, where it is now."""
    captured_directory: str | None = None
    """The run directory where it was when it was captured; None in older runs."""


@attrs.frozen(eq=False)
class Profile:
    """One opened run. Any table may be empty; ``warnings`` says what is missing and why."""

    path: Path
    executions: Executions
    runs: ProgramRuns
    modules: Sequence[HloModule]
    duration_ps: int
    """From the first event of the profile to the last."""
    device_steps: Sequence[StepMarks] = ()
    """Stored ``Steps`` lines, one entry per plane, named after it."""
    step_marks: Sequence[StepMarks] = ()
    """Host annotations, one entry per name."""
    compiling: Spans | None = None
    """When a host compiled."""
    capture: CaptureInformation | None = None
    warnings: Sequence[str] = ()


def recorded_paths(profile: Profile) -> Sequence[str]:
    """Every file that a stack of the profile's ops names, in the order of their first naming."""
    stacks = {}
    modules = {}
    for op in profile.executions.ops:
        stacks[id(op.stack)] = op.stack
        if op.module is not None:
            modules[id(op.module)] = op.module
    for module in modules.values():
        for instruction in module.instructions:
            stacks[id(instruction.stack)] = instruction.stack
    return list(dict.fromkeys(frame.path for stack in stacks.values() for frame in stack))

"""``scopelight run --against``: rounds of a script as it is and as it was, and what changed between them."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from scopelight.capture.against.experiment_source import ExperimentSource, ExperimentSpec, NeededRounds, Sides
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.launching.interpreter import choose_interpreter
from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSpec
from scopelight.cli.announcing import say
from scopelight.cli.compare import print_comparison
from scopelight.cli.interrupts import cancelled_by_signal
from scopelight.findings import Finding
from scopelight.formats.errors import FormatError

DETECTED = {
    "cpu-time": "CPU time of a step",
    "device-time": "time of a step's ops on a device",
    "step": "time of a step",
}
"""What the quantities are called whose changes are looked for."""


def run_against(
    script: Script, asked: str, launch: LaunchSpec, *, python: str | None, rounds: int, detect_ratio: float | None
) -> None:
    """Make the rounds, print the comparison, and end the command with its exit code."""
    source: ExperimentSource | None = None
    try:
        source = ExperimentSource(
            script=script,
            asked=asked,
            python=choose_interpreter(python, os.environ),
            cwd=Path.cwd(),
            environment=os.environ,
            say=say,
            tell=_tell,
        )
        spec = ExperimentSpec(launch, rounds, detect_ratio, _needed, launch.out)
        with cancelled_by_signal(source.cancel):
            sides = source.capture(spec)
    except CaptureFailure as failure:
        say(failure.sentence)
        sys.exit(failure.exit_code)
    cancelled_by = source.cancelled_by
    if cancelled_by is not None:
        say(_interrupted(source, len(sides[0])))
    elif source.was_edited:
        say(f"{_counted(source, len(sides[0]))}, before files were edited.")
    if sides[0]:
        _compare(sides)
        say(f"the rounds are kept; scopelight compare {_shown(source.path)}")
    if cancelled_by is not None:
        sys.exit(128 + cancelled_by)
    sys.exit(Exit.NOT_COMPARED if source.was_edited else 0)


def _interrupted(source: ExperimentSource, whole: int) -> str:
    if source.path is None:
        return "interrupted before anything was captured: nothing is kept."
    if not whole:
        return f"interrupted before a round was captured of both sides; what there is: {_shown(source.path)}"
    return f"interrupted: {_counted(source, whole)}."


def _counted(source: ExperimentSource, whole: int) -> str:
    return f"{whole} of {source.rounds_planned} rounds {'counts' if whole == 1 else 'count'}"


def _compare(sides: Sides) -> None:
    try:
        print_comparison((tuple(sides[0]), tuple(sides[1])))
    except FormatError as error:
        say(str(error))


def _needed(sides: Sides, ratio: float, most: int) -> NeededRounds:
    # What opens runs loads while nobody waits.
    from scopelight.views.detecting import rounds_that_detect  # noqa: PLC0415

    found = rounds_that_detect(*sides, ratio, most, Path.cwd())
    return NeededRounds(None if found.quantity is None else DETECTED[found.quantity.name], found.rounds)


def _tell(findings: Sequence[Finding]) -> None:
    from scopelight.report.findings.worded import in_terminal  # noqa: PLC0415

    for each in findings:
        say(in_terminal(each))


def _shown(path: Path | None) -> str:
    """A path as it is typed from here."""
    if path is None:
        return ""
    here = Path.cwd()
    return str(path.relative_to(here)) if here in path.parents else str(path)

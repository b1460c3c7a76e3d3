"""What the terminal says of a capture: what it holds, what it cost, and the lines its time went to."""

import contextlib
import sys
import traceback
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.cli.printing.output import console
from scopelight.formats.errors import FormatError
from scopelight.model.run.information import RunInformation

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject

_LEAST_UNTRACED_SECONDS = 0.01
"""A script that lacks less than that between the parts of its capture is said to be whole."""


def say(sentence: str) -> None:
    """Say it on standard error."""
    # The script goes on where no one hears of it.
    with contextlib.suppress(OSError):
        click.echo(f"scopelight: {sentence}", err=True)


def what_was_captured(run: RunInformation) -> str:
    """What the window of a run with a trace holds, and what taking it cost."""
    window, pause = run.window, run.pause_seconds
    assert window is not None and window.kind is not None
    steps = f"{window.complete_steps} complete step{'' if window.complete_steps == 1 else 's'}"
    asked = window.steps if run.options is None else run.options.steps
    captured = {
        "steps": f"captured {steps} ({asked} {'was' if asked == 1 else 'were'} asked for)",
        "seconds": "captured a window of time",
        "time": "captured a window of time",
        "whole": "captured the whole script",
        "probe": "captured a part of the script",
        "script": "took over the script's own trace",
        "code": "captured what the script asked for",
        "file": "took over a profile that was there",
    }[window.kind]
    if window.first_step is not None and window.last_step is not None:
        last = "" if window.last_step <= window.first_step else f" to {window.last_step}"
        captured = f"captured step{'s' if last else ''} {window.first_step}{last}"
        if window.slow_steps:
            captured += f", of which {', '.join(str(each) for each in window.slow_steps)} took long"
    if window.seconds is not None:
        captured += f" ({window.seconds:.3g} s)"
    untraced_seconds = sum(after.started - before.stopped for before, after in pairwise(run.probes))
    if window.kind == "whole" and untraced_seconds >= _LEAST_UNTRACED_SECONDS:
        captured += f" in {len(run.probes)} parts, without {untraced_seconds:.3g} s between them"
    if pause is not None:
        captured += f"; starting and stopping the trace took {pause * 1000:.0f} ms"
    return captured


def announce(run: RunDirectory) -> None:
    """Tell what was captured, and show its lines."""
    # numba and the analyses load while the script runs.
    from scopelight.cli.printing.answer import print_answer  # noqa: PLC0415
    from scopelight.views.opening import open_subject  # noqa: PLC0415
    from scopelight.views.table import VIEWS  # noqa: PLC0415

    captured = what_was_captured(run.information)
    say(f"{captured}; {run.path}")
    # Standard output is the script's.
    with contextlib.redirect_stdout(sys.stderr):
        try:
            subject = open_subject(run.path, Path.cwd())
            print_answer(VIEWS["lines"], subject)
            _print_what_next(subject)
        except FormatError as error:
            say(str(error))
        except Exception:
            # The script is still running, and its profile is saved: neither may be lost to a fault of ours.
            log = run.path / "scopelight.log"
            log.write_text(traceback.format_exc(), encoding="utf-8")
            say(f"The lines could not be shown because of a fault in Scopelight; the profile is kept, see {log}.")


def _print_what_next(subject: "Subject") -> None:
    """Print where the steps went, and what would make them faster."""
    from scopelight.analysis.overview.options import OverviewOptions  # noqa: PLC0415
    from scopelight.report.findings.worded import naming  # noqa: PLC0415
    from scopelight.report.overview.overview import render_what_next  # noqa: PLC0415
    from scopelight.views.overview import overview  # noqa: PLC0415

    with naming(subject.path):
        render_what_next(overview(subject, OverviewOptions()), console(), base=Path.cwd())

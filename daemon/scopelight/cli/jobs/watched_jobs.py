"""``scopelight monitor`` of a run that is being captured, or of a process: by our agent in it."""

import sys
from contextlib import closing
from pathlib import Path
from typing import NoReturn

from scopelight.analysis.monitoring.glanced import at_level_1
from scopelight.analysis.monitoring.records import JobReading
from scopelight.capture.attaching.attach_source import AttachSource
from scopelight.capture.failures import CaptureFailure
from scopelight.capture.monitoring.run_source import RunMonitor, WatchSpec
from scopelight.cli.announcing import say
from scopelight.cli.interrupts import INTERRUPTED, cancelled_by_interrupt
from scopelight.cli.jobs.readings import Readings
from scopelight.report.numbers import duration, share


def watch_by_agent(job: Path | int, seconds: float, count: int | None, printed: Readings) -> NoReturn:
    """Print readings of a run or of a process until it ends, and end with the command's exit code."""
    spec = WatchSpec(seconds, count)
    was_cancelled = False

    def cancel() -> None:
        nonlocal was_cancelled
        was_cancelled = True
        source.cancel()

    source: RunMonitor | AttachSource
    if isinstance(job, Path):
        source = RunMonitor(job)
        readings = source.readings(spec)
    else:
        source = AttachSource(job, say)
        readings = source.monitor(spec)
    cost_is_said = False
    try:
        with cancelled_by_interrupt(cancel), closing(readings):
            for reading in readings:
                if not cost_is_said and reading.traced_ps is not None:
                    cost_is_said = True
                    say(_cost(reading, seconds))
                printed.print(at_level_1(reading) if printed.level == 1 else reading)
    except CaptureFailure as failure:
        if not was_cancelled:
            say(failure.sentence)
            sys.exit(failure.exit_code)
    sys.exit(INTERRUPTED if was_cancelled else 0)


def _cost(reading: JobReading, seconds: float) -> str:
    traced_ps, pause_ps = reading.traced_ps or 0, reading.pause_ps or 0
    return (
        f"each reading traces the job for {duration(traced_ps)}, {share(traced_ps / (seconds * 1e12))} of the time:"
        f" steps take a few percent longer meanwhile. Beginning and ending the trace took {duration(pause_ps)}."
    )

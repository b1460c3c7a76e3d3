"""Making traces the profile of a run."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources, named_files
from scopelight.findings import Finding
from scopelight.model.run.information import CaptureWindow


def publish(
    run: RunDirectory,
    traces: Sequence[Path],
    sources: Sources,
    window: CaptureWindow,
    *,
    pause_seconds: float | None = None,
    warnings: Iterable[Finding] = (),
    copies: bool = False,
) -> None:
    """Make traces of one process, one after the other, the profile, and keep the sources that they name.

    ``pause_seconds`` is how long taking them held the script up at most. With ``copies`` the traces stay where they
    are, too. Other traces of the run are removed.
    """
    named = set().union(*(named_files(trace) for trace in traces))
    for each in (*sources.save(run, named), *warnings):
        run.warn(each)
    file = run.add_profile(traces, copies=copies)
    run.discard_probes()
    run.update(
        state="captured",
        profile=file.relative_to(run.path).as_posix(),
        window=window,
        pause_seconds=pause_seconds,
    )

"""Making traces the profile of a run."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources, named_files
from scopelight.findings import Finding
from scopelight.model.run.information import CaptureWindow


def publish(
    run: RunDirectory,
    processes: Mapping[str, Sequence[Path]],
    sources: Sources,
    window: CaptureWindow,
    *,
    pause_seconds: float | None = None,
    warnings: Iterable[Finding] = (),
    copies: bool = False,
) -> None:
    """Make traces the profile of a run's newest window, and keep the sources that they name.

    ``processes`` are the traces of each, one after the other, by the name that its file is to have. ``pause_seconds``
    is how long taking them held a script up at most. With ``copies`` the traces stay where they are, too. Windows that
    were published before stay, and traces of the run that are older are removed.
    """
    named = set().union(*(named_files(trace) for traces in processes.values() for trace in traces))
    for each in (*sources.save(run, named), *warnings):
        run.warn(each)
    newest_ns = max(trace.stat().st_mtime_ns for traces in processes.values() for trace in traces)
    session = run.add_profile(processes, copies=copies).relative_to(run.path).as_posix()
    # The job may have gone on to the next window, whose trace may be there already.
    run.discard_probes(until_ns=newest_ns)
    window = attrs.evolve(window, session=session)
    run.update(
        state="captured",
        windows=(*run.information.windows, window),
        window=window,
        pause_seconds=pause_seconds,
    )

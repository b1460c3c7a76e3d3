"""Making traces the profile of a run."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources, named_files
from scopelight.findings import Finding
from scopelight.model.opening.sessions import XSPACE
from scopelight.model.run.information import CaptureWindow

_log = logging.getLogger(__name__)


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
    folder = run.add_profile(processes, copies=copies)
    session = folder.relative_to(run.path).as_posix()
    # The job may have gone on to the next window, whose trace may be there already.
    run.discard_probes(until_ns=newest_ns)
    window = attrs.evolve(window, session=session)
    run.update(
        state="captured",
        windows=(*run.information.windows, window),
        window=window,
        pause_seconds=pause_seconds,
    )
    if _is_of_several_processes(run, processes):
        _keep_summaries(folder)


def _is_of_several_processes(run: RunDirectory, processes: Mapping[str, Sequence[Path]]) -> bool:
    """Whether others took part, whose files may be elsewhere."""
    devices = run.information.devices or ()
    return len(processes) > 1 or len({each.process_index for each in devices}) > 1


def _keep_summaries(folder: Path) -> None:
    """Write beside each host's file what is needed to compare it with others: views of many hosts open no more."""
    from scopelight.summaries.gathering import gather  # noqa: PLC0415 (few jobs have several processes)

    try:
        gather(sorted(folder.glob(f"*{XSPACE}")))
    except Exception:
        # The profile is there; whoever looks at it makes what is missing.
        _log.exception("summaries of %s", folder)

"""Timelines as files for Chrome's tracing and Perfetto."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from scopelight.analysis.timeline.events.flows import Flows
from scopelight.analysis.timeline.export import export_timeline
from scopelight.analysis.timeline.records import ExportedTimeline
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.model.run.information import RUN_FILE
from scopelight.report.findings.worded import in_terminal


class ProfileItselfError(Exception):
    """The file that a timeline was to be written to is one that it is read from, or another of its run."""

    def __init__(self, output: Path, what: str) -> None:
        super().__init__(f"{output} is {what}: choose another file for the timeline.")


def write_timeline(
    timeline: Timeline,
    output: Path,
    *,
    start_ps: int | None = None,
    end_ps: int | None = None,
    track_ids: Sequence[str] | None = None,
    flows: Flows | None = None,
    report: Callable[[float], None] = lambda _: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> ExportedTimeline:
    """Write a timeline, or a part of it, to a file; see `export_timeline`.

    The file is there when it is whole, and not before. A link stays, and what it leads to is written; what is no file
    (a pipe, a device) is written to as it is. Raises `OSError` where it cannot be written, `ProfileItselfError`
    before anything is.
    """
    if any(_is_same(output, each) for each in timeline.slices.files):
        raise ProfileItselfError(output, "the profile itself")
    if any(_is_kept_by_run(output, each) for each in timeline.slices.files):
        raise ProfileItselfError(output, "a file of the run itself")
    with _opened(output) as file:
        exported = export_timeline(
            timeline,
            file,
            in_terminal,
            start_ps=start_ps,
            end_ps=end_ps,
            track_ids=track_ids,
            flows=flows,
            report=report,
            is_cancelled=is_cancelled,
        )
    return ExportedTimeline(str(output), exported.events, exported.findings)


def _is_same(output: Path, profile: Path) -> bool:
    try:
        return output.samefile(profile)
    except OSError:
        return False


def _is_kept_by_run(output: Path, profile: Path) -> bool:
    """Whether there is such a file already in the run of a profile, and no earlier export."""
    if not output.is_file():
        return False
    of_output = output.resolve()
    runs = (each for each in profile.resolve().parents if (each / RUN_FILE).is_file())
    return any(
        of_output.is_relative_to(run) and (of_output == run / RUN_FILE or of_output.suffix != ".json") for run in runs
    )


@contextmanager
def _opened(output: Path) -> Iterator[TextIO]:
    """The file to write to; a regular one gets its name at the end, where nothing was raised."""
    if output.exists() and not output.is_file():
        with output.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            yield file
        return
    target = Path(os.path.realpath(output))
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with unfinished.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            yield file
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)

"""Timelines as files for Chrome's tracing and Perfetto."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from scopelight.analysis.timeline.events.flows import Flows
from scopelight.analysis.timeline.export import export_timeline
from scopelight.analysis.timeline.records import ExportedTimeline
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.report.findings.worded import in_terminal
from scopelight.report.output_file import output_file


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

    Raises as `output_file` does.
    """
    with (
        output_file(output, timeline.slices.files) as binary,
        io.TextIOWrapper(binary, encoding="utf-8", errors="replace", newline="\n") as file,
    ):
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

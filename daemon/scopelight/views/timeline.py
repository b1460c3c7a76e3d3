"""The view of the timeline outside of the panel: its tracks, and one window of all of them."""

from collections.abc import Mapping
from typing import Any

from scopelight.analysis.options import OptionError
from scopelight.analysis.subject import Subject
from scopelight.analysis.timeline.options import TimelineListingOptions
from scopelight.analysis.timeline.timeline import incomplete, open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.analysis.timeline.windows.listed import TimelineListing
from scopelight.analysis.timeline.windows.listing import listed_whole
from scopelight.analysis.timeline.windows.window import FURTHEST_PS
from scopelight.formats.errors import FormatError
from scopelight.phrase import Phrase
from scopelight.report.numbers import duration
from scopelight.report.timeline import strip_width

WIDTH_PX = 1_000


def timeline(subject: Subject, options: TimelineListingOptions) -> TimelineListing:
    """The tracks, and a window of them. Its tracks are shown even where the rest of the profile cannot be read.

    Raises `FormatError` where nothing can be read, and `OptionError` where no time lies in the window.
    """
    opened = open_timeline(subject.path)
    record = opened.record()
    if any(each.severity == "empty" for each in record.findings):
        return TimelineListing(record, None)
    try:
        opened = opened.completed(subject.profile, derive(opened.slices, subject.profile, subject.line_options))
    except FormatError as error:
        opened = opened.without_profile(incomplete(error))
    record = opened.record()
    start_ps, end_ps = options.start_ps, options.end_ps
    check_span(start_ps, end_ps, record.duration_ps)
    first_ps = start_ps or 0
    last_ps = min(FURTHEST_PS, end_ps if end_ps is not None else max(record.duration_ps, first_ps + 1))
    return TimelineListing(record, listed_whole(opened, first_ps, last_ps, options.width_px or WIDTH_PX))


def check_span(start_ps: int | None, end_ps: int | None, duration_ps: int) -> None:
    """Raise `OptionError` where no time of a profile lies between two times."""
    if start_ps is not None and start_ps > duration_ps:
        raise OptionError("start_ps", Phrase("The profile is only {duration} long.", duration=duration(duration_ps)))
    if end_ps is not None and end_ps <= (start_ps or 0):
        raise OptionError("end_ps", Phrase("The window must end after it begins."))


def fitted(options: Mapping[str, Any], columns: int) -> Mapping[str, Any]:
    """The options with a width for which a console of so many ``columns`` has room."""
    return {**options, "width_px": options.get("width_px") or strip_width(columns)}

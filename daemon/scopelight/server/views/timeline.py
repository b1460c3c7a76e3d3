"""What the panel Timeline asks for to be drawn: its tracks, windows of them, and names."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from scopelight.analysis.timeline.records import TimelineMatcher, TimelineNames, WindowRecord
from scopelight.protocol.timeline import NamesOptions, TimelineAnswer, TimelineOptions, WindowOptions
from scopelight.report.language import sentence_of, text
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.shown_run import described, shown_run
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed

if TYPE_CHECKING:
    from scopelight.analysis.timeline.search.search import Search
    from scopelight.analysis.timeline.timeline import Timeline
    from scopelight.analysis.totals.frames import LineOptions

MOST_NAMES = 20_000
"""Of one answer: a window has no more boxes."""
LONGEST_NAME = 1_000
"""What is longer, the text of a large instruction, is cut: only an event's details have it whole."""


async def timeline(session: Session, params: TimelineOptions) -> TimelineAnswer:
    """The tracks of a path, or of the run that is shown."""
    path = timeline_path(session, params.path)
    opened = await session.timelines.opened(path)
    shown = session.shown
    run = await described(session, shown) if shown is not None and shown.path == path else None
    contents = session.timelines.contents(path)
    return TimelineAnswer(run, await session.work.quick(opened.record), contents)


async def timeline_window(session: Session, params: WindowOptions) -> WindowRecord:
    """What to draw of some tracks between two times."""
    path = timeline_path(session, params.path)
    matches = None
    if params.matcher is not None:
        search = await search_of(session, params.matcher, params.path)
        matches = search.matches if search is not None else None
    try:
        return await session.timelines.window(path, params, matches)
    except (LookupError, ValueError) as error:
        raise RequestFailed(sentence_of(error)) from error


async def timeline_names(session: Session, params: NamesOptions) -> TimelineNames:
    """Names of slices by their ids."""
    opened = await session.timelines.present(timeline_path(session, params.path))
    return await session.work.quick(functools.partial(_names, opened, params.ids))


def timeline_path(session: Session, path: str | None) -> Path:
    """The path of a timeline: None for the run that is shown. Raises `RequestFailed` where none is."""
    return shown_run(session).path if path is None else checked_path(path)


async def search_of(session: Session, matcher: TimelineMatcher, path: str | None) -> "Search | None":
    """The search of a matcher; None while the profile must be read to know what it means."""
    whole = timeline_path(session, path)
    timeline = await session.timelines.present(whole)
    options = line_options_of(session, whole)
    return await session.timeline_lookups.search(whole, timeline, matcher, options, session.roots)


def line_options_of(session: Session, path: Path) -> "LineOptions | None":
    """Which files are the user's in the run that is shown, None for any other."""
    shown = session.shown
    return shown.options if shown is not None and shown.path == path else None


def _names(opened: "Timeline", ids: tuple[int, ...]) -> TimelineNames:
    if len(ids) > MOST_NAMES or not all(0 <= each < len(opened.slices.names) for each in ids):
        raise RequestFailed(text("The timeline has no such names."))
    return named(opened, ids)


def named(opened: "Timeline", ids: tuple[int, ...]) -> TimelineNames:
    """Names of slices by their ids, of which there are."""
    names, derived = opened.slices.names, opened.derived
    shown = [names.shown(each) for each in ids]
    return TimelineNames(
        tuple(names.text(each)[:LONGEST_NAME] for each in ids),
        tuple(each[:LONGEST_NAME] for each in shown),
        tuple(None if derived is None else derived.in_jax.called(each) for each in shown),
    )

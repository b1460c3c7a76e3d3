"""What the panel Timeline asks of its events: find, one event, a selection, the table of them, an export."""

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import attrs

from scopelight.analysis.timeline.records import (
    EventPlace,
    EventRecord,
    EventTable,
    ExportedTimeline,
    FoundRecord,
    GapFound,
    SelectionRecord,
)
from scopelight.protocol.timeline import (
    EventOptions,
    EventTableOptions,
    ExportTimeline,
    FindOptions,
    FoundEventOptions,
    GapOptions,
    SelectionOptions,
)
from scopelight.report.language import sentence_of, text, translated
from scopelight.server.documents.paths import checked_path
from scopelight.server.session import Session
from scopelight.server.views.timeline import line_options_of, search_of, timeline_path
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress

if TYPE_CHECKING:
    from scopelight.analysis.timeline.lookups import Lookups

SEARCH_SECONDS = 0.4
"""How long one answer searches on; the client asks again for the rest."""
SETTLING_SECONDS = 0.3
"""How long an answer waits where a profile is still being read, so that the client does not ask without a pause."""
LATEST_PS = 1 << 61
"""Later times mean the same; sums of two of them are still numbers of 64 bits."""
REPORTED_RATIO = 0.01
"""Progress that is worth a message."""

T = TypeVar("T")


async def timeline_find(session: Session, params: FindOptions) -> FoundRecord:
    """Which events a matcher means, as far as they were searched."""
    search = await search_of(session, params.matcher, params.path)
    if search is None:
        await asyncio.sleep(SETTLING_SECONDS)
        return FoundRecord(0, {}, (), 0, searched_ratio=0.0, failure=None, findings=())

    def find() -> FoundRecord:
        search.advance(params.tracks, SEARCH_SECONDS)
        found = search.record(_time(params.at_ps), params.tracks)
        return found if found.failure is None else attrs.evolve(found, failure=translated(found.failure))

    return await _answer(session, find)


async def timeline_found_event(session: Session, params: FoundEventOptions) -> EventPlace:
    """One of the events that a matcher means, of those that were found so far."""
    search = await search_of(session, params.matcher, params.path)
    if search is None:
        raise RequestFailed(text("The profile is still being read: what is looked for is not known yet."))

    def event() -> EventPlace:
        if search.record(0, params.tracks).searched_ratio == 0:
            search.advance(params.tracks, SEARCH_SECONDS)
        return search.event(params.ordinal, params.tracks)

    return await _answer(session, event)


async def timeline_event(session: Session, params: EventOptions) -> EventRecord:
    """Everything that is known of one event."""
    lookups = await _lookups(session, params.path)

    def event() -> EventRecord:
        from scopelight.analysis.timeline.events.event import event_record  # noqa: PLC0415
        from scopelight.analysis.timeline.events.places import nearest_event  # noqa: PLC0415

        track = lookups.timeline.track(params.track)
        number = nearest_event(track, params.depth, _time(params.at_ps)) if params.event is None else params.event
        return event_record(lookups, track, number)

    return await _answer(session, event)


async def timeline_gap(session: Session, params: GapOptions) -> GapFound:
    """The next gap of a device, or the one before."""
    lookups = await _lookups(session, params.path)

    def gap() -> GapFound:
        from scopelight.analysis.timeline.events.gaps import gap_beside  # noqa: PLC0415

        return gap_beside(lookups.timeline, params.section, _time(params.at_ps), is_after=params.is_after)

    return await _answer(session, gap)


async def timeline_selection(session: Session, params: SelectionOptions) -> SelectionRecord:
    """The slices of a span on some tracks, added up by name."""
    lookups = await _lookups(session, params.path)

    def selection() -> SelectionRecord:
        from scopelight.analysis.timeline.events.selection import selection_record  # noqa: PLC0415

        return selection_record(lookups, params.tracks, _time(params.start_ps), _time(params.end_ps))

    return await _answer(session, selection)


async def timeline_table(session: Session, params: EventTableOptions) -> EventTable:
    """The events of a span on some tracks, as rows of a table."""
    lookups = await _lookups(session, params.path)

    def table() -> EventTable:
        from scopelight.analysis.timeline.events.table import event_table  # noqa: PLC0415

        span_ps = (_time(params.start_ps), _time(params.end_ps))
        return event_table(lookups, params.tracks, *span_ps, params.first, params.count)

    return await _answer(session, table)


async def export_timeline(session: Session, params: ExportTimeline) -> ExportedTimeline:
    """Write a timeline for Chrome's tracing and Perfetto."""
    output = checked_path(params.output)
    lookups = await _lookups(session, params.path)
    from scopelight.analysis.timeline.export import export_timeline as write_timeline  # noqa: PLC0415
    from scopelight.report.findings.worded import in_terminal  # noqa: PLC0415
    from scopelight.report.output_file import OutputRefusedError, as_text, output_file  # noqa: PLC0415

    loop, cancelled = asyncio.get_running_loop(), threading.Event()
    reported = 0.0
    async with progress(session, params.workDoneToken, text("Writing {file}", file=output.name)) as report:

        def tell(ratio: float) -> None:
            nonlocal reported
            if ratio - reported >= REPORTED_RATIO:
                reported = ratio
                loop.call_soon_threadsafe(report, f"{ratio:.0%}")

        def write() -> ExportedTimeline:
            with output_file(output, lookups.timeline.slices.files) as binary, as_text(binary) as file:
                exported = write_timeline(
                    lookups.timeline,
                    file,
                    in_terminal,
                    start_ps=None if params.start_ps is None else _time(params.start_ps),
                    end_ps=None if params.end_ps is None else _time(params.end_ps),
                    track_ids=params.tracks,
                    flows=lookups.flows,
                    report=tell,
                    is_cancelled=cancelled.is_set,
                )
            return ExportedTimeline(str(output), exported.events, exported.findings)

        try:
            return await session.work.run("long", write)
        except (LookupError, OutputRefusedError) as error:
            raise RequestFailed(sentence_of(error)) from error
        except OSError as error:
            raise RequestFailed(
                text("{file} cannot be written ({reason}).", file=output, reason=error.strerror or error)
            ) from error
        finally:
            cancelled.set()


async def _lookups(session: Session, path: str | None) -> "Lookups":
    whole = timeline_path(session, path)
    timeline = await session.timelines.present(whole)
    return await session.timeline_lookups.of(whole, timeline, line_options_of(session, whole), session.roots)


async def _answer(session: Session, function: Callable[[], T]) -> T:
    try:
        return await session.work.run("questions", function)
    except LookupError as error:
        raise RequestFailed(sentence_of(error)) from error


def _time(time_ps: int) -> int:
    return min(max(time_ps, -LATEST_PS), LATEST_PS)

"""What questions to timelines look up, kept while these are open: lookups, searches, flows."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scopelight.server.runs.loading import Loading
from scopelight.server.work import Cache, Key, Work

if TYPE_CHECKING:
    from scopelight.analysis.timeline.events.flows import Flows
    from scopelight.analysis.timeline.lookups import Lookups
    from scopelight.analysis.timeline.records import TimelineMatcher
    from scopelight.analysis.timeline.search.search import Search
    from scopelight.analysis.timeline.timeline import Timeline
    from scopelight.analysis.totals.frames import LineOptions

# What analyses takes a second to import: functions here import it when they run, in a worker.


class TimelineLookups:
    """The lookups of the timelines of a session. Used on the event loop only; what they do, threads of its own do."""

    def __init__(self, work: Work, cache: Cache, loading: Loading) -> None:
        self._work = work
        self._cache = cache
        self._loading = loading

    async def prepare(self, path: Path, timeline: Timeline, pause: Callable[[], None]) -> None:
        """Make ahead what the first question of an event would wait for, once all tracks of a timeline are read.

        ``pause`` is called now and then; it may wait for what is more urgent.
        """
        flows = await self._flows(path, timeline)
        await self._work.run("questions", functools.partial(flows.prepare, pause))

    async def of(self, path: Path, timeline: Timeline, options: LineOptions | None, roots: Sequence[Path]) -> Lookups:
        """The lookups of the timeline of a path.

        ``options`` are those of the run that is shown; without them the user's files are those in ``roots``.
        """
        flows = await self._flows(path, timeline)
        make = functools.partial(_lookups, timeline, flows, options, tuple(roots), self._loading.source_folders)
        return await self._cache.get(Key("lookups", path, timeline), make, "questions")

    async def search(
        self,
        path: Path,
        timeline: Timeline,
        matcher: TimelineMatcher,
        options: LineOptions | None,
        roots: Sequence[Path],
    ) -> Search | None:
        """The search of a matcher, begun before or anew; None while it cannot be known yet which ops are sought."""
        lookups = await self.of(path, timeline, options, roots)
        seeks_ops = matcher.op_key is not None or matcher.line is not None
        if seeks_ops and timeline.profile is None and timeline.failure is None:
            return None
        key = Key("search", path, (timeline, matcher))
        return await self._cache.get(key, functools.partial(_search, lookups, matcher), "questions")

    async def _flows(self, path: Path, timeline: Timeline) -> Flows:
        """They depend on no options, so they are made before anything is asked."""
        return await self._cache.get(
            Key("flows", path, timeline), functools.partial(_make_flows, timeline), "questions"
        )


def _make_flows(timeline: Timeline) -> Flows:
    from scopelight.analysis.timeline.events.flows import Flows  # noqa: PLC0415

    return Flows(timeline)


def _lookups(
    timeline: Timeline,
    flows: Flows,
    options: LineOptions | None,
    roots: Sequence[Path],
    source_folders: Mapping[str, str],
) -> Lookups:
    from scopelight.analysis.timeline.lookups import Lookups  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    if options is None and timeline.profile is not None:
        options = line_options(timeline.profile, *roots, source_folders=source_folders)
    return Lookups(timeline, options, flows)


def _search(lookups: Lookups, matcher: TimelineMatcher) -> Search:
    from scopelight.analysis.timeline.search.search import Search  # noqa: PLC0415

    if matcher.op_key is not None:
        return Search(lookups.timeline, matcher, lookups.names, lookups.ops_of_key(matcher.op_key))
    is_line = matcher.file is not None and matcher.line is not None
    meant = lookups.meant_by_line(matcher.file or "", matcher.line or 0) if is_line else None
    return Search(lookups.timeline, matcher, lookups.names, meant=meant)

"""What questions to timelines look up, kept while these are open: searches, sources, tables of ops."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scopelight.server.work import Cache, Key, Work

if TYPE_CHECKING:
    from scopelight.analysis.ops.table import OpTable
    from scopelight.analysis.timeline.events.flows import Flows
    from scopelight.analysis.timeline.lookups import Lookups
    from scopelight.analysis.timeline.records import TimelineMatcher
    from scopelight.analysis.timeline.search.search import Search
    from scopelight.analysis.timeline.timeline import Timeline
    from scopelight.analysis.totals.frames import LineOptions, UserFrames

# What analyses takes a second to import: functions here import it when they run, in a worker.


@attrs.define(eq=False)
class _Kept:
    """What is kept of one timeline."""

    lookups: Lookups
    frames: UserFrames
    options: LineOptions
    ops: OpTable | None = None


class TimelineLookups:
    """The lookups of the timelines of a session. Used on the event loop only; what they do, threads of its own do."""

    def __init__(self, work: Work, cache: Cache) -> None:
        self._work = work
        self._cache = cache

    async def prepare(self, path: Path, timeline: Timeline, pause: Callable[[], None]) -> None:
        """Make ahead what the first question of an event would wait for, once all tracks of a timeline are read.

        ``pause`` is called now and then; it may wait for what is more urgent.
        """
        flows = await self._flows(path, timeline)
        await self._work.run("questions", functools.partial(flows.prepare, pause))

    async def of(
        self, path: Path, timeline: Timeline, options: LineOptions | None, roots: Sequence[Path]
    ) -> tuple[Lookups, UserFrames]:
        """The lookups of the timeline of a path, and which frames are the user's.

        ``options`` are those of the run that is shown; without them the user's files are those in ``roots``.
        """
        kept = await self._of(path, timeline, options, roots)
        return kept.lookups, kept.frames

    async def search(
        self,
        path: Path,
        timeline: Timeline,
        matcher: TimelineMatcher,
        options: LineOptions | None,
        roots: Sequence[Path],
    ) -> Search | None:
        """The search of a matcher, begun before or anew; None while it cannot be known yet which ops are sought."""
        kept = await self._of(path, timeline, options, roots)
        seeks_ops = matcher.op_key is not None or matcher.line is not None
        if seeks_ops and timeline.profile is None and timeline.failure is None:
            return None
        key = Key("search", path, (timeline, matcher))
        return await self._cache.get(key, functools.partial(_search, kept, matcher), "questions")

    async def _of(self, path: Path, timeline: Timeline, options: LineOptions | None, roots: Sequence[Path]) -> _Kept:
        flows = await self._flows(path, timeline)
        make = functools.partial(_keep, timeline, flows, options, tuple(roots))
        return await self._cache.get(Key("lookups", path, timeline), make, "questions")

    async def _flows(self, path: Path, timeline: Timeline) -> Flows:
        """They depend on no options, so they are made before anything is asked."""
        return await self._cache.get(
            Key("flows", path, timeline), functools.partial(_make_flows, timeline), "questions"
        )


def _make_flows(timeline: Timeline) -> Flows:
    from scopelight.analysis.timeline.events.flows import Flows  # noqa: PLC0415

    return Flows(timeline)


def _keep(timeline: Timeline, flows: Flows, options: LineOptions | None, roots: Sequence[Path]) -> _Kept:
    from scopelight.analysis.timeline.lookups import Lookups  # noqa: PLC0415
    from scopelight.analysis.totals.centre import centre_of  # noqa: PLC0415
    from scopelight.analysis.totals.frames import LineOptions, UserFrames  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    profile = timeline.profile
    if options is None:
        options = line_options(profile, *roots) if profile is not None else LineOptions()
    frames = UserFrames(options, None) if profile is None else centre_of(profile, options).frames
    lookups = Lookups(timeline, options)
    lookups.flows = flows
    return _Kept(lookups, frames, options)


def _search(kept: _Kept, matcher: TimelineMatcher) -> Search:
    from scopelight.analysis.timeline.search.search import Search  # noqa: PLC0415

    lookups = kept.lookups
    ops: Sequence[int] | None = None
    if matcher.op_key is not None:
        ops = lookups.ops_of_key(matcher.op_key)
    elif matcher.file is not None and matcher.line is not None:
        ops = _ops_of_line(kept, matcher.file, matcher.line)
    return Search(lookups.timeline, matcher, lookups.names, ops)


def _ops_of_line(kept: _Kept, file: str, line: int) -> Sequence[int]:
    from scopelight.analysis.ops.table import op_table  # noqa: PLC0415
    from scopelight.analysis.timeline.events.ops_of_line import ops_of_line  # noqa: PLC0415

    profile = kept.lookups.timeline.profile
    if profile is None:
        return ()
    if kept.ops is None:
        kept.ops = op_table(profile, kept.options)
    return ops_of_line(kept.ops, file, line)

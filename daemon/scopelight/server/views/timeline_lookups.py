"""What questions to timelines look up, kept while these are open: searches, sources, tables of ops."""

from __future__ import annotations

import asyncio
import functools
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

import attrs

if TYPE_CHECKING:
    from scopelight.analysis.ops.table import OpTable
    from scopelight.analysis.timeline.events.flows import Flows
    from scopelight.analysis.timeline.lookups import Lookups
    from scopelight.analysis.timeline.records import TimelineMatcher
    from scopelight.analysis.timeline.search.search import Search
    from scopelight.analysis.timeline.timeline import Timeline
    from scopelight.analysis.totals.frames import LineOptions, UserFrames

# What analyses takes a second to import: functions here import it when they run, in a worker.

KEPT_TIMELINES = 2
KEPT_SEARCHES = 4
"""Of each timeline; one holds the numbers of what it found."""
THREADS = 2

T = TypeVar("T")


@attrs.define(eq=False)
class _Kept:
    """What is kept of one timeline."""

    lookups: Lookups
    frames: UserFrames
    options: LineOptions
    searches: OrderedDict[TimelineMatcher, Search] = attrs.field(factory=OrderedDict)
    ops: OpTable | None = None


class TimelineLookups:
    """The lookups of the timelines of a session. Used on the event loop only; what they do, threads of its own do."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="questions")
        self._kept: OrderedDict[Timeline, _Kept] = OrderedDict()
        self._flows: WeakKeyDictionary[Timeline, Flows] = WeakKeyDictionary()
        """They depend on no options, so they are made before anything is asked."""

    async def ask(self, function: Callable[[], T]) -> T:
        """The result of a question: mostly at once, but seconds where lanes of millions must be read first."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    async def prepare(self, timeline: Timeline, pause: Callable[[], None]) -> None:
        """Make ahead what the first question of an event would wait for, once all tracks of a timeline are read.

        ``pause`` is called now and then; it may wait for what is more urgent.
        """
        flows = await self.ask(functools.partial(_flows_of, timeline))
        flows = self._flows.setdefault(timeline, flows)
        await self.ask(functools.partial(flows.prepare, pause))

    async def of(
        self, timeline: Timeline, options: LineOptions | None, roots: Sequence[Path]
    ) -> tuple[Lookups, UserFrames]:
        """The lookups of a timeline, and which frames are the user's.

        ``options`` are those of the run that is shown; without them the user's files are those in ``roots``.
        """
        kept = await self._of(timeline, options, roots)
        return kept.lookups, kept.frames

    async def search(
        self, timeline: Timeline, matcher: TimelineMatcher, options: LineOptions | None, roots: Sequence[Path]
    ) -> Search | None:
        """The search of a matcher, begun before or anew; None while what it means is not known yet."""
        kept = await self._of(timeline, options, roots)
        if matcher not in kept.searches:
            means_ops = matcher.op_key is not None or matcher.line is not None
            if means_ops and timeline.profile is None and timeline.failure is None:
                return None
            search = await self.ask(functools.partial(_search, kept, matcher))
            kept.searches[matcher] = search
            while len(kept.searches) > KEPT_SEARCHES:
                kept.searches.popitem(last=False)
        kept.searches.move_to_end(matcher)
        return kept.searches[matcher]

    def forget(self) -> None:
        """Let go of everything, which also lets go of timelines that are closed."""
        self._kept.clear()

    async def _of(self, timeline: Timeline, options: LineOptions | None, roots: Sequence[Path]) -> _Kept:
        if timeline not in self._kept:
            kept = await self.ask(functools.partial(_keep, timeline, options, tuple(roots)))
            kept.lookups.flows = self._flows.setdefault(timeline, kept.lookups.flows)
            # Another request may have been quicker.
            self._kept.setdefault(timeline, kept)
            while len(self._kept) > KEPT_TIMELINES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(timeline)
        return self._kept[timeline]


def _flows_of(timeline: Timeline) -> Flows:
    from scopelight.analysis.timeline.events.flows import Flows  # noqa: PLC0415

    return Flows(timeline)


def _keep(timeline: Timeline, options: LineOptions | None, roots: Sequence[Path]) -> _Kept:
    from scopelight.analysis.timeline.lookups import Lookups  # noqa: PLC0415
    from scopelight.analysis.totals.centre import centre_of  # noqa: PLC0415
    from scopelight.analysis.totals.frames import LineOptions, UserFrames  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    profile = timeline.profile
    if options is None:
        options = line_options(profile, *roots) if profile is not None else LineOptions()
    frames = UserFrames(options, None) if profile is None else centre_of(profile, options).frames
    return _Kept(Lookups(timeline, options), frames, options)


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

"""Timelines of one session: opened by their headers, their lanes read when a window needs them, completed beside."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scopelight.findings import warning
from scopelight.formats.errors import FormatError
from scopelight.server.views.idle_time import IdleTime

if TYPE_CHECKING:
    from scopelight.analysis.timeline.records import WindowRecord
    from scopelight.analysis.timeline.timeline import Timeline
    from scopelight.analysis.timeline.track import Track
    from scopelight.analysis.timeline.windows.window import Matches
    from scopelight.model.profile import Profile
    from scopelight.protocol.timeline import WindowOptions
    from scopelight.server.runs.loading import Loading
    from scopelight.server.views.timeline_lookups import TimelineLookups
    from scopelight.server.work import Cache, Work

# What analyses takes a second to import: functions here import it when they run, in a worker.

logger = logging.getLogger(__name__)

KEPT_TIMELINES = 2
"""Each holds the slices of the lanes that were drawn."""
PATIENCE_S = 0.1
"""How long a window waits for lanes that are being read, before it is drawn without them."""
HEAD_START_S = 2.0
"""How long the first picture may take before the whole profile is read beside it, on the same processors."""

FIRST_RESOLUTIONS = 7
"""Those that a picture of the whole run may be drawn at, on 64 to 8,000 pixels."""


@attrs.define(eq=False, repr=False)
class _Open:
    """A timeline that is open. ``timeline`` is replaced when it is complete."""

    key: Hashable
    timeline: Timeline
    is_awaited: bool = False
    """Whether a client may show a picture of it already, from before it was closed: then only the whole will do."""
    waiting: int = 0
    """Requests that wait until it is complete: it is not closed under them."""
    is_drawn: asyncio.Event = attrs.field(factory=asyncio.Event)
    is_complete: asyncio.Event = attrs.field(factory=asyncio.Event)
    reading: dict[Track, asyncio.Future[None]] = attrs.field(factory=dict)
    read: deque[Track] = attrs.field(factory=deque)
    """Tracks that were read, and are to be merged to all resolutions."""
    completing: asyncio.Task[None] | None = None
    merging: asyncio.Task[None] | None = None


@attrs.frozen(eq=False, repr=False)
class _Closed:
    """What is kept of a timeline that made room for others: windows of it are still in sight, by the ids of names."""

    key: Hashable
    added_names: tuple[str, ...]


class TimelineViews:
    """The timelines of a session. Used on the event loop only.

    ``roots`` are the folders of the user's files, as `Loading` has them for runs: both read the same centre.
    """

    def __init__(
        self,
        work: Work,
        cache: Cache,
        loading: Loading,
        lookups: TimelineLookups,
        roots: Callable[[], Sequence[Path]],
    ) -> None:
        self._work = work
        self._cache = cache
        self._loading = loading
        self._lookups = lookups
        self._roots = roots
        self._open: OrderedDict[Path, _Open] = OrderedDict()
        self._opening: dict[Path, asyncio.Task[_Open]] = {}
        self._closed: dict[Path, _Closed] = {}
        self._idle_time = IdleTime()

    async def opened(self, path: Path) -> Timeline:
        """The timeline of a path as its files are now. Raises `FormatError` where nothing can be read."""
        opened = await self._opened(path)
        opened.is_awaited = False
        return opened.timeline

    def contents(self, path: Path) -> str:
        """What stands for the files that the lanes of an open timeline are read from; another where they changed.

        Files that only say more of a run, which are written anew when it is pinned, do not count.
        """
        opened = self._open.get(path)
        if opened is None or not isinstance(opened.key, tuple):
            return ""
        read = {str(file) for file in opened.timeline.slices.files}
        stamps = [each for each in opened.key if isinstance(each, tuple) and each[0] in read]
        return hashlib.blake2b(repr(stamps).encode(), digest_size=8).hexdigest()

    async def present(self, path: Path) -> Timeline:
        """The timeline of a path as it is open; opened where it is not, and complete where it was closed for others."""
        self._idle_time.interrupt()
        return (await self._present(path)).timeline

    async def window(self, path: Path, options: WindowOptions, matches: Matches | None) -> WindowRecord:
        """What to draw. Raises `FormatError` where a lane cannot be read, and what `window` raises."""
        self._idle_time.interrupt()
        opened = await self._present(path, options.tracks)
        await self._read(opened, options.tracks)
        record = await self._work.quick(functools.partial(_window, opened.timeline, options, matches))
        if all(track.ready for track in record.tracks):
            opened.is_drawn.set()
        return record

    def forget(self, path: Path) -> None:
        """Let go of the timeline of a path, which also lets go of its mapped files."""
        self._close(path)
        self._closed.pop(path, None)
        self._opening.pop(path, None)

    async def _present(self, path: Path, track_ids: Sequence[str] = ()) -> _Open:
        """The timeline as it is open. It is waited for where a page still shows what it lacks."""
        if path in self._open:
            self._open.move_to_end(path)
            opened = self._open[path]
        else:
            opened = await self._opened(path)
        if opened.is_awaited or not all(map(opened.timeline.has, track_ids)):
            opened.waiting += 1
            # There is a picture already: reading the profile need not wait for one.
            opened.is_drawn.set()
            try:
                await opened.is_complete.wait()
            finally:
                opened.waiting -= 1
        return opened

    async def _opened(self, path: Path) -> _Open:
        if path not in self._opening:
            task = asyncio.get_running_loop().create_task(self._open_anew(path))
            self._opening[path] = task
            task.add_done_callback(functools.partial(self._end_opening, path))
        return await asyncio.shield(self._opening[path])

    def _end_opening(self, path: Path, task: asyncio.Task[_Open]) -> None:
        if self._opening.get(path) is task:
            del self._opening[path]

    async def _open_anew(self, path: Path) -> _Open:
        key = await self._loading.identify(path)
        known = self._open.get(path)
        if known is not None and known.key == key:
            return known
        opened = _Open(key, await self._work.run("lanes", functools.partial(_open_timeline, path)))
        closed = self._closed.pop(path, None)
        if closed is not None and closed.key == key:
            opened.is_awaited = True
            for name in closed.added_names:
                opened.timeline.slices.names.add(name)
        if not self._cache.may_keep(path):
            # It was closed while it was opened: who waits for it gets it as it is.
            opened.is_complete.set()
            return opened
        self._close(path)
        self._make_room()
        self._open[path] = opened
        if opened.timeline.record().complete:
            opened.is_complete.set()
        else:
            opened.completing = asyncio.get_running_loop().create_task(self._complete(path, opened))
        return opened

    def _make_room(self) -> None:
        """Close the timelines that were not asked for the longest, until there is room for one more."""
        for path in [path for path, each in self._open.items() if each.waiting == 0]:
            if len(self._open) < KEPT_TIMELINES:
                return
            opened = self._open[path]
            self._closed[path] = _Closed(opened.key, opened.timeline.slices.names.added)
            self._close(path)

    def _close(self, path: Path) -> None:
        opened = self._open.pop(path, None)
        if opened is None:
            return
        opened.read.clear()
        if opened.merging is not None:
            opened.merging.cancel()
        if opened.completing is not None:
            opened.completing.cancel()
            opened.is_complete.set()

    async def _complete(self, path: Path, opened: _Open) -> None:
        """Read the whole profile, once the first picture had its chance, and replace the timeline."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(opened.is_drawn.wait(), HEAD_START_S)
        try:
            profile = await self._loading.profile(path, opened.key)
            complete = functools.partial(
                _completed, opened.timeline, profile, tuple(self._roots()), self._loading.source_folders
            )
            opened.timeline = await self._work.run("lanes", complete)
        except FormatError as error:
            from scopelight.analysis.timeline.timeline import incomplete  # noqa: PLC0415

            opened.timeline = opened.timeline.without_profile(incomplete(error))
        except Exception:
            logger.exception("The timeline of %s cannot be completed.", path)
            opened.timeline = opened.timeline.without_profile(warning("timeline-fault"))
        opened.is_complete.set()
        await self._read_ahead(path, opened)

    async def _read_ahead(self, path: Path, opened: _Open) -> None:
        """Have every track made ready, one after the other, so that a search need not, then what questions look up."""
        for track in opened.timeline.tracks:
            if not track.is_ready:
                await self._idle_time.come()
                # A request for a lane that cannot be read fails with the reason.
                await asyncio.wait([self._reading(opened, track)])
        await self._lookups.prepare(path, opened.timeline, self._idle_time.wait)

    async def _read(self, opened: _Open, track_ids: Sequence[str]) -> None:
        """Have the tracks made ready, and wait a little for them."""
        tracks = map(opened.timeline.find, track_ids)
        readings = [self._reading(opened, each) for each in tracks if each is not None and not each.is_ready]
        if readings:
            done, _ = await asyncio.wait(readings, timeout=PATIENCE_S)
            for each in done:
                each.result()

    def _reading(self, opened: _Open, track: Track) -> asyncio.Future[None]:
        """The reading of a track, begun where it was not."""
        if track in opened.reading:
            return opened.reading[track]
        reading = asyncio.ensure_future(self._work.run("lanes", functools.partial(_make_ready, opened.timeline, track)))

        def read(done: asyncio.Future[None]) -> None:
            opened.reading.pop(track, None)
            if not done.cancelled() and done.exception() is None:
                opened.read.append(track)
                if opened.merging is None or opened.merging.done():
                    opened.merging = asyncio.get_running_loop().create_task(self._merge_ahead(opened))

        reading.add_done_callback(read)
        opened.reading[track] = reading
        return reading

    async def _merge_ahead(self, opened: _Open) -> None:
        """Have the tracks that were read merged to every resolution at which windows may be drawn, in pauses."""
        while opened.read:
            track = opened.read.popleft()
            for exponent in _resolutions(opened.timeline, track):
                await self._idle_time.come()
                await self._work.run("lanes", functools.partial(track.index().merged, exponent))


def _open_timeline(path: Path) -> Timeline:
    from scopelight.analysis.timeline.timeline import open_timeline  # noqa: PLC0415

    try:
        return open_timeline(path)
    except OSError as error:
        raise FormatError("it cannot be read ({reason})", path=path, reason=error.strerror or error) from error


def _completed(
    timeline: Timeline, profile: Profile, roots: Sequence[Path], source_folders: Mapping[str, str]
) -> Timeline:
    from scopelight.analysis.timeline.tracks.derived import derive  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    options = line_options(profile, *roots, source_folders=source_folders)
    return timeline.completed(profile, derive(timeline.slices, profile, options))


def _make_ready(timeline: Timeline, track: Track) -> None:
    """Read a track, and merge it as far as the first picture needs it."""
    for exponent in _resolutions(timeline, track)[:FIRST_RESOLUTIONS]:
        track.index().merged(exponent)
    track.make_ready()


def _resolutions(timeline: Timeline, track: Track) -> Sequence[int]:
    """Those that windows of a track may be drawn at, coarsest first."""
    from scopelight.analysis.timeline.windows.window import LEAST_MERGED  # noqa: PLC0415

    return track.index().resolutions(timeline.slices.duration_ps, LEAST_MERGED)


def _window(timeline: Timeline, options: WindowOptions, matches: Matches | None) -> WindowRecord:
    from scopelight.analysis.timeline.windows.window import window  # noqa: PLC0415

    return window(
        timeline,
        options.tracks,
        options.depths,
        options.start_ps,
        options.end_ps,
        options.width_px,
        matches,
        only_ready=True,
    )

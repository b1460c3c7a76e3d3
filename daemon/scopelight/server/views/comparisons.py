"""Comparisons of the shown run with another, or of rounds of both: read and compared off the event loop, and kept."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scopelight.analysis.compare.records import ComparedBy
from scopelight.report.language import sentence_of, text
from scopelight.server.events import Event
from scopelight.server.lines.changes.shown import ShownChanges
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.work import Key

if TYPE_CHECKING:
    from scopelight.analysis.compare.lists.options import ComparedListOptions
    from scopelight.analysis.compare.records import ComparisonRecord
    from scopelight.analysis.compare.trees.records import ComparedTreeRecord
    from scopelight.analysis.flame.options import FlameOptions
    from scopelight.analysis.graph.options import GraphOptions
    from scopelight.analysis.ops.options import OpProfileOptions
    from scopelight.analysis.subject import Subject
    from scopelight.protocol.comparing import ComparedWith
    from scopelight.server.runs.loading import LoadedRun
    from scopelight.server.session import Session

# What analyses takes a second to import: functions here import it when they run, in a worker.


@attrs.frozen(eq=False, repr=False)
class _Opened:
    """The runs of both sides, as long as they are compared: each grouping of rows reads them."""

    key: Hashable
    before: Sequence[Subject]
    after: Sequence[Subject]


class Comparisons:
    """The comparisons of one session. Used on the event loop only."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.sides: ComparedWith | None = None
        """What is compared whenever its run is shown."""
        self.changed: Event[[]] = Event()
        """Something else is compared, or nothing."""
        session.shown_changed.subscribe(self._shown_changed)
        self.lines = ShownChanges(session, Event())
        self.changed.subscribe(self.lines.update)
        self._opened: _Opened | None = None
        self._opening = asyncio.Lock()

    async def of(
        self, sides: ComparedWith, by: ComparedBy, report: Callable[[str], None] = lambda _: None
    ) -> ComparisonRecord:
        """The comparison of two sides. Raises `FormatError` where a run cannot be read."""
        opened = await self.opened(sides, report)
        report(text("comparing"))
        key = Key("record", Path(sides.run), ("comparison", opened.key, by))
        return await self._session.cache.get(key, functools.partial(_compare, opened.before, opened.after, by))

    async def of_view(
        self, sides: ComparedWith, options: OpProfileOptions | FlameOptions | GraphOptions | ComparedListOptions
    ) -> ComparedTreeRecord:
        """A view of two sides node by node. Raises `FormatError`, and `RequestFailed` where one lacks what is asked."""
        opened = await self.opened(sides)
        key = Key("record", Path(sides.run), ("compared view", opened.key, options))
        try:
            return await self._session.cache.get(
                key, functools.partial(_compare_view, opened.before, opened.after, options)
            )
        except LookupError as error:
            raise RequestFailed(sentence_of(error)) from error

    async def opened(self, sides: ComparedWith, report: Callable[[str], None] = lambda _: None) -> _Opened:
        """The runs of two sides, read where they were not, or have changed since."""
        async with self._opening:
            runs = [Path(each) for each in (*sides.before, *sides.after)]
            key = await self._key(runs)
            known = self._opened
            if known is None or known.key != key:
                loaded = []
                for number, run in enumerate(runs, 1):
                    if len(runs) > 2:
                        report(text("reading run {number} of {count}", number=number, count=len(runs)))
                    loaded.append(await self._load(run))
                subjects = [await self._session.records.subject(each) for each in loaded]
                rounds = len(sides.before)
                known = self._opened = _Opened(key, tuple(subjects[:rounds]), tuple(subjects[rounds:]))
            return known

    @property
    def shown(self) -> ComparedWith | None:
        """With what the run that is shown is compared."""
        run = self._session.shown
        return self.sides if self.sides is not None and run is not None and str(run.path) == self.sides.run else None

    def set(self, sides: ComparedWith | None) -> None:
        """Compare something else, or nothing."""
        if sides != self.sides:
            self.sides = sides
            self._opened = None
            self.changed.emit()

    def _shown_changed(self) -> None:
        if self.shown is None:
            # The files that they map may be deleted then.
            self._opened = None

    async def _load(self, run: Path) -> LoadedRun:
        session = self._session
        return await session.loading.load(run, session.roots, session.settings.scope, lambda _: None)

    async def _key(self, runs: Sequence[Path]) -> Hashable:
        """Equal while the runs and all that is made of them are the same."""
        session = self._session
        identities = [await session.loading.identify(each) for each in runs]
        folders = tuple(sorted((session.settings.source_folders or {}).items()))
        return (*identities, tuple(session.roots), folders, session.records.depends_on)


def _compare(before: Sequence[Subject], after: Sequence[Subject], by: ComparedBy) -> ComparisonRecord:
    from scopelight.views.comparing import compare_runs  # noqa: PLC0415

    return compare_runs(before, after, by)


def _compare_view(
    before: Sequence[Subject],
    after: Sequence[Subject],
    options: OpProfileOptions | FlameOptions | GraphOptions | ComparedListOptions,
) -> ComparedTreeRecord:
    from scopelight.views.comparing import compare_view  # noqa: PLC0415

    return compare_view(before, after, options)

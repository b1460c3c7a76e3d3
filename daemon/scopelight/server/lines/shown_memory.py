"""The memory of the shown run's lines: read when something shows it, and not before."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Protocol

from scopelight.formats.errors import FormatError
from scopelight.protocol import Settings
from scopelight.server.runs.loading import LoadedRun, Loading

if TYPE_CHECKING:
    from scopelight.analysis.memory.line_memory import LineMemory

logger = logging.getLogger(__name__)


class ShowsRuns(Protocol):
    """What is needed of the session."""

    loading: Loading
    settings: Settings
    shown: LoadedRun | None
    shown_changed: list[Callable[[], None]]
    settings_changed: list[Callable[[], None]]
    memory_changed: list[Callable[[], None]]

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Run ``work`` beside what else is done."""


class ShownMemory:
    """The memory of the run that is shown. Used on the event loop only."""

    def __init__(self, session: ShowsRuns) -> None:
        self._session = session
        self._reading: tuple[LoadedRun, asyncio.Task[None]] | None = None
        self._known: tuple[LoadedRun, LineMemory | None] | None = None
        session.shown_changed.append(self._changed)
        session.settings_changed.append(self._changed)

    def of(self, run: LoadedRun) -> LineMemory | None:
        """The memory of a run's lines; None until it is known, and where it cannot be read."""
        return self._known[1] if self._known is not None and self._known[0] is run else None

    async def soon(self, run: LoadedRun, seconds: float) -> LineMemory | None:
        """`of`, after it was asked for and a wait of at most so many ``seconds``."""
        self._read(run)
        if self._reading is not None:
            await asyncio.wait((self._reading[1],), timeout=seconds)
        return self.of(run)

    def _changed(self) -> None:
        run = self._session.shown
        if self._known is not None and self._known[0] is not run:
            self._known = None
        if run is not None and self._session.settings.annotations and self._session.settings.mode == "memory":
            self._read(run)

    def _read(self, run: LoadedRun) -> None:
        if self._known is not None and self._known[0] is run:
            return
        if self._reading is not None:
            if self._reading[0] is run and not self._reading[1].done():
                return
            self._reading[1].cancel()
        self._reading = (run, self._session.spawn(self._find(run)))

    async def _find(self, run: LoadedRun) -> None:
        loading = self._session.loading
        found = None
        try:
            found = await loading.memory_views.lines(loading.op_source(run))
        except FormatError as error:
            logger.warning("The memory of lines stays unknown: %s", error)
        self._known = (run, found)
        for listener in self._session.memory_changed:
            listener()

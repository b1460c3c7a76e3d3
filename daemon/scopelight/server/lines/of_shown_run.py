"""What is found of the shown run's lines beside the requests: once for a run, and again where its settings change."""

from __future__ import annotations

import asyncio
import logging
from abc import abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from scopelight.formats.errors import FormatError
from scopelight.server.events import Event
from scopelight.server.runs.loading import LoadedRun

if TYPE_CHECKING:
    from scopelight.server.session import Session

logger = logging.getLogger(__name__)

T = TypeVar("T")


class OfShownRun(Generic[T]):
    """Something of the run that is shown; ``changed`` is emitted when it is known. Used on the event loop only."""

    def __init__(self, session: Session, changed: Event[[]]) -> None:
        self.session = session
        self.changed = changed
        self._known: tuple[LoadedRun, T] | None = None
        self._wanted: tuple[object, ...] | None = None
        self._finding: asyncio.Task[None] | None = None
        self._waits_until_seconds: float | None = None
        """On the event loop's clock; None before the first wait for what is being found."""
        session.shown_changed.subscribe(self.update)
        session.settings_changed.subscribe(self.update)

    def of(self, run: LoadedRun) -> T | None:
        """That of a run; None until it is known, and where it cannot be read."""
        return self._known[1] if self._known is not None and self._known[0] is run else None

    async def soon(self, run: LoadedRun, seconds: float) -> T | None:
        """`of`, after a wait where it is being found: of at most so many ``seconds`` from when it was first waited for,
        so that not all who ask meanwhile are kept waiting."""
        if self.of(run) is None and self._finding is not None:
            now_seconds = asyncio.get_running_loop().time()
            if self._waits_until_seconds is None:
                self._waits_until_seconds = now_seconds + seconds
            await asyncio.wait((self._finding,), timeout=max(0, self._waits_until_seconds - now_seconds))
        return self.of(run)

    @abstractmethod
    def update(self) -> None:
        """Another run is shown, or a setting changed."""

    @abstractmethod
    async def find(self, run: LoadedRun) -> T:
        """Find it. Raises `FormatError` where the run cannot be read any more."""

    def start(self, run: LoadedRun | None, *settings: object) -> None:
        """Find that of a run with the settings that it depends on, unless that was begun before."""
        wanted = (run, *settings)
        if wanted == self._wanted:
            return
        self._wanted = wanted
        self._waits_until_seconds = None
        if self._finding is not None:
            self._finding.cancel()
        if self._known is not None and self._known[0] is not run:
            self._known = None
        self._finding = self.session.spawn(self._find(run)) if run is not None else None

    async def _find(self, run: LoadedRun) -> None:
        try:
            self._known = (run, await self.find(run))
        except FormatError as error:
            logger.warning("What is shown of lines stays as it is: %s", error)
            return
        self.changed.emit()

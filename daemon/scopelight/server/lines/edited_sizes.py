"""Sizes of the shown run that were edited since: what is padded now is not known of them."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Protocol

from scopelight.server.documents.documents import Document
from scopelight.server.lines.placement import Placements
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.work import Work
from scopelight.source.sizes.edited import edited_sizes

INTERVAL_SECONDS = 0.1
"""After an edit: who types changes many things at once."""


class FollowsTexts(Protocol):
    """What is needed of the session."""

    work: Work
    placements: Placements
    shown: LoadedRun | None
    shown_changed: list[Callable[[], None]]
    document_opened: list[Callable[[Document], None]]
    document_changed: list[Callable[[Document], None]]
    document_closed: list[Callable[[Document], None]]
    files_renamed: list[Callable[[], None]]
    sizes_changed: list[Callable[[], None]]

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Run ``work`` beside what else is done."""


class EditedSizes:
    """Compares the numbers in the present texts with those in the run's copies, whenever a text or the run changes.

    Whoever asked for it is told when they are others than before. Used on the event loop only.
    """

    def __init__(self, session: FollowsTexts) -> None:
        self._session = session
        self._known: tuple[LoadedRun, frozenset[int]] | None = None
        self._looking: asyncio.Task[None] | None = None
        for changed in (session.document_opened, session.document_changed, session.document_closed):
            changed.append(lambda _: self._look_soon())
        session.shown_changed.append(self._look_soon)
        session.files_renamed.append(self._look_soon)

    def of(self, run: LoadedRun) -> frozenset[int]:
        """The sizes that are edited, as far as they are known."""
        return self._known[1] if self._known is not None and self._known[0] is run else frozenset()

    def _look_soon(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._looking = self._session.spawn(self._look())

    async def _look(self) -> None:
        await asyncio.sleep(INTERVAL_SECONDS)
        session = self._session
        run = session.shown
        if run is None:
            self._known = None
            return
        texts = await session.placements.texts(run, run.sources.files)
        pairs = [(run.sources.lines(file), lines) for file, (_, lines) in texts.items()]
        edited = await session.work.quick(
            lambda: edited_sizes((recorded, present) for recorded, present in pairs if recorded is not None)
        )
        if run is session.shown and edited != self.of(run):
            self._known = (run, edited)
            for listener in session.sizes_changed:
                listener()

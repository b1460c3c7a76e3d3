"""Sizes of the shown run that were edited since: what is padded now is not known of them."""

import asyncio
from typing import TYPE_CHECKING

from scopelight.server.runs.loading import LoadedRun
from scopelight.source.sizes.edited import edited_sizes

if TYPE_CHECKING:
    from scopelight.server.session import Session

INTERVAL_SECONDS = 0.1
"""After an edit: who types changes many things at once."""


class EditedSizes:
    """Compares the numbers in the present texts with those in the run's copies, whenever a text or the run changes.

    Whoever asked for it is told when they are others than before. Used on the event loop only.
    """

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._known: tuple[LoadedRun, frozenset[int]] | None = None
        self._looking: asyncio.Task[None] | None = None
        for changed in (session.document_opened, session.document_changed, session.document_closed):
            changed.subscribe(lambda _: self._look_soon())
        session.shown_changed.subscribe(self._look_soon)
        session.files_renamed.subscribe(self._look_soon)

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
            session.sizes_changed.emit()

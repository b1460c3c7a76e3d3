"""The costs of the shown run's lines: added up after it is shown, and again where a setting changes them.

Cards, annotations and lenses show what is known when they are made, and are made again when more is.
"""

import asyncio
import functools
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Protocol

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.padding.records import PaddingRecord
from scopelight.formats.errors import FormatError
from scopelight.protocol import Settings
from scopelight.server.runs.loading import LoadedRun, Loading
from scopelight.server.work import Shared, Work

if TYPE_CHECKING:
    from scopelight.analysis.totals.frames import LineOptions
    from scopelight.model.profile import Profile

logger = logging.getLogger(__name__)

KEPT = 4
"""Of padding: a run's with one target, and with another."""
AFTER_SECONDS = 0.1
"""After the run is shown: what is seen first, the annotations, need not share the processor with it."""


class ShowsRuns(Protocol):
    """What is needed of the session."""

    work: Work
    loading: Loading
    settings: Settings
    shown: LoadedRun | None
    shown_changed: list[Callable[[], None]]
    settings_changed: list[Callable[[], None]]
    costs_changed: list[Callable[[], None]]

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Run ``work`` beside what else is done."""


class ShownCosts:
    """The costs of the run that is shown. Used on the event loop only."""

    def __init__(self, session: ShowsRuns) -> None:
        self._session = session
        self._paddings: Shared[PaddingRecord] = Shared(session.work, kept=KEPT)
        self._heeded: tuple[object, ...] | None = None
        self._adding: asyncio.Task[None] | None = None
        self._known: tuple[LoadedRun, LineCosts] | None = None
        session.shown_changed.append(self._start)
        session.settings_changed.append(self._start)

    def of(self, run: LoadedRun) -> LineCosts | None:
        """The costs of a run's lines; None until they are known."""
        return self._known[1] if self._known is not None and self._known[0] is run else None

    async def soon(self, run: LoadedRun, seconds: float) -> LineCosts | None:
        """`of`, after a wait of at most so many ``seconds`` where the costs are being added up."""
        if self.of(run) is None and self._adding is not None:
            await asyncio.wait((self._adding,), timeout=seconds)
        return self.of(run)

    def _start(self) -> None:
        run = self._session.shown
        heeded = (run, *_heeded(self._session.settings))
        if heeded == self._heeded:
            return
        self._heeded = heeded
        if self._adding is not None:
            self._adding.cancel()
        if self._known is not None and self._known[0] is not run:
            self._known = None
        self._adding = self._session.spawn(self._add_up(run)) if run is not None else None

    async def _add_up(self, run: LoadedRun) -> None:
        session = self._session
        await asyncio.sleep(AFTER_SECONDS)
        try:
            ops = await session.loading.ops(run)
            source = session.loading.op_source(run)
            target = session.settings.target
            read = functools.partial(_padding, await source.profile(), source.options, target)
            padding = await self._paddings.get((source.key, target), read)
            costs = await session.work.quick(functools.partial(LineCosts, run.record, ops, padding))
        except FormatError as error:
            logger.warning("The costs of lines stay unknown: %s", error)
            return
        self._known = (run, costs)
        for listener in session.costs_changed:
            listener()


def _heeded(settings: Settings) -> tuple[object, ...]:
    """The settings that costs depend on."""
    return (settings.target, settings.peak_flops_per_s, settings.peak_bytes_per_s)


def _padding(profile: "Profile", options: "LineOptions", target: str | None) -> PaddingRecord:
    # What analyses takes a second to import.
    from scopelight.analysis.padding.padding import padding  # noqa: PLC0415
    from scopelight.model.devices.table import device_model  # noqa: PLC0415

    return padding(profile, options, device_model(target) if target else None)

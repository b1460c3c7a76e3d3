"""The costs of the shown run's lines: added up after it is shown, and again where a setting changes them.

Cards, annotations and lenses show what is known when they are made, and are made again when more is.
"""

import asyncio
import functools

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.padding.options import PaddingOptions
from scopelight.server.lines.of_shown_run import OfShownRun
from scopelight.server.runs.loading import LoadedRun
from scopelight.views.table import VIEWS

AFTER_SECONDS = 0.1
"""After the run is shown: what is seen first, the annotations, need not share the processor with it."""


class ShownCosts(OfShownRun[LineCosts]):
    """The costs of the lines of the run that is shown."""

    def update(self) -> None:
        """Add up where costs are others."""
        settings = self.session.settings
        self.start(self.session.shown, settings.target, settings.peak_flops_per_s, settings.peak_bytes_per_s)

    async def find(self, run: LoadedRun) -> LineCosts:
        """Add up the costs of ops and padding by line."""
        await asyncio.sleep(AFTER_SECONDS)
        ops = await self.session.records.of(run, VIEWS["ops"], OpsOptions())
        padding = await self.session.records.of(run, VIEWS["padding"], PaddingOptions())
        return await self.session.work.quick(functools.partial(LineCosts, run.record, ops, padding))

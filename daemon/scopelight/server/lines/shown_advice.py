"""The advice on the shown run: found after what is seen first, where lines are to say it."""

import asyncio

from scopelight.analysis.advice.records import AdviceRecord
from scopelight.analysis.options import NoOptions
from scopelight.server.lines.of_shown_run import OfShownRun
from scopelight.server.runs.loading import LoadedRun
from scopelight.views.table import VIEWS

AFTER_SECONDS = 0.2
"""After the run is shown: the costs of lines, which cards and annotations wait for, come first."""


class ShownAdvice(OfShownRun[AdviceRecord]):
    """What would make the run that is shown faster, or smaller."""

    def update(self) -> None:
        """Find it where lines say it."""
        settings = self.session.settings
        if settings.advice:
            self.start(self.session.shown, settings.target, settings.peak_flops_per_s, settings.peak_bytes_per_s)

    async def find(self, run: LoadedRun) -> AdviceRecord:
        """Look it up in the view of advice."""
        await asyncio.sleep(AFTER_SECONDS)
        record: AdviceRecord = await self.session.records.of(run, VIEWS["advice"], NoOptions())
        return record

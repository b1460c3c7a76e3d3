"""Memory while the shown run's script ran: its record, made off the event loop and kept by run and options."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from scopelight.server.views.op_views import OpSource
from scopelight.server.work import Shared, Work

if TYPE_CHECKING:
    from scopelight.analysis.memory.profile.records import MemoryProfileRecord
    from scopelight.analysis.totals.frames import LineOptions
    from scopelight.model.profile import Profile

# What analyses takes a second to import: functions here import it when they run, in a worker.

KEPT_RECORDS = 4


class MemoryProfileViews:
    """The memory profiles of the runs of one session. Used on the event loop only."""

    def __init__(self, work: Work) -> None:
        self._records: Shared[MemoryProfileRecord] = Shared(work, kept=KEPT_RECORDS)

    async def profile(self, source: OpSource) -> MemoryProfileRecord:
        """Every memory of a run. Raises `FormatError` where a file of it cannot be read any more."""
        profile = await source.profile()
        return await self._records.get((source.key,), functools.partial(_make, profile, source.options))


def _make(profile: Profile, options: LineOptions) -> MemoryProfileRecord:
    from scopelight.analysis.memory.profile.memory_profile import memory_profile  # noqa: PLC0415

    return memory_profile(profile, options)

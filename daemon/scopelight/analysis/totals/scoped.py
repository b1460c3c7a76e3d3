"""What a view looks at of a profile: the totals of one device, or of all, in one scope, and their whole."""

from collections.abc import Callable
from functools import cached_property

import attrs

from scopelight.analysis.records import ExtentRecord, WallRecord
from scopelight.analysis.totals.charging import Charges
from scopelight.analysis.totals.cpu_time import CpuOfScope
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.analysis.totals.waiting.charging import WaitingOfScope


@attrs.frozen(eq=False, repr=False)
class Scoped:
    """Totals, and the extent and the wall clock that they are of."""

    totals: InstructionTotals
    extent: ExtentRecord
    wall: WallRecord | None
    _charge: Callable[[InstructionTotals, CpuOfScope | None], Charges]
    _wait: Callable[[], WaitingOfScope]
    _look_at_clocks: Callable[[], CpuOfScope | None]

    @cached_property
    def charges(self) -> Charges:
        """The totals by line and stack: made when they are first asked for, since not every view does."""
        return self._charge(self.totals, self.cpu)

    @cached_property
    def cpu(self) -> CpuOfScope | None:
        """How long ops were on cores; None where that is not known."""
        return self._look_at_clocks()

    @cached_property
    def waiting(self) -> WaitingOfScope:
        """The idle time by line: as well."""
        return self._wait()

    @property
    def step_count(self) -> int:
        """What a time of the extent is divided by to be a time per step and device; 0 where it has no steps."""
        return self.extent.steps * self.extent.devices

    def per_step_ps(self, time_ps: int) -> int | None:
        """A time of the extent as a time per step and device; None without steps."""
        return round(time_ps / self.step_count) if self.step_count else None

    def share_ratio(self, wall_ps: int) -> float:
        """A part of the wall clock over all of it."""
        return wall_ps / self.wall.wall_ps if self.wall is not None and self.wall.wall_ps else 0.0

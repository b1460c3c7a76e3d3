"""Lines over hosts: what of a line's time is waiting for other devices, and how it differs between hosts."""

import attrs
import numpy as np

from scopelight.analysis.records import HostSpread
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.charging import ChargedLine
from scopelight.analysis.totals.scoped import Scoped
from scopelight.formats.columns import Float64


@attrs.frozen
class LineMeetings:
    """What the collectives of a line waited and moved; None each where it has none that met."""

    wait_ps: int | None = None
    move_ps: int | None = None


class OverHosts:
    """What is known of lines beyond one device."""

    def __init__(self, centre: Centre, scoped: Scoped) -> None:
        self._scoped = scoped
        kind = scoped.extent.kind
        self._meetings = None if kind == "program" else centre.meetings(kind)
        self._hosts = centre.hosts
        self._wall_ps: Float64 = np.zeros((0, 0))
        if self._hosts:
            self._wall_ps = self._by_host()

    def _by_host(self) -> Float64:
        """By op and host the wall clock that it has of a step, a mean of the host's devices."""
        totals = self._scoped.totals
        found = np.zeros((len(totals.ops), len(self._hosts)))
        host_of_device = np.full(len(totals.devices), -1, dtype=np.int64)
        for place, rows in enumerate(self._hosts.values()):
            host_of_device[list(rows)] = place
        np.add.at(found, (totals.op, host_of_device[totals.device]), totals.wall_ps)
        devices = np.array([len(rows) for rows in self._hosts.values()])
        per_step: Float64 = found / (max(1, self._scoped.extent.steps) * devices)
        return per_step

    def meetings(self, line: ChargedLine) -> LineMeetings:
        """What the collectives of a line waited and moved."""
        if self._meetings is None:
            return LineMeetings()
        wait_ps = sum(part.share_ratio * self._meetings.wait_ps[op.row].sum() for op, part in line.parts)
        move_ps = sum(part.share_ratio * self._meetings.move_ps[op.row].sum() for op, part in line.parts)
        return LineMeetings(round(wait_ps), round(move_ps)) if wait_ps or move_ps else LineMeetings()

    def spread(self, line: ChargedLine) -> HostSpread | None:
        """On which host a line takes least and most of a step; None where there is one host, or no time."""
        if not self._hosts or not line.parts or not self._scoped.extent.steps:
            return None
        per_host = sum(part.share_ratio * self._wall_ps[op.row] for op, part in line.parts)
        names = list(self._hosts)
        least, most = int(np.argmin(per_host)), int(np.argmax(per_host))
        return HostSpread(names[least], round(float(per_host[least])), names[most], round(float(per_host[most])))

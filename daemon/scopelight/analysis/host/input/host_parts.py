"""What a script's input consists of: threads, what they did, queues and operations, of all hosts."""

from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.host.input.core_use import CoreUse
from scopelight.analysis.host.input.graph.operations import operations_of
from scopelight.analysis.host.input.graph_records import InputOperation, InputQueue
from scopelight.analysis.host.input.loading_threads import loading_threads
from scopelight.analysis.host.input.queues import FoundQueue, found_queues
from scopelight.analysis.host.input.stages import Gathered, Part, gather_stages
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.charging import LineKey
from scopelight.model.host.stage_events import StageEvents
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame


@attrs.frozen(eq=False, repr=False)
class HostParts:
    """Stages as they were gathered, the queues and the operations.

    ``owners`` are the keys of the operations that what threads had of stages belongs to. ``taken_at`` is the line that
    takes from the nearest queue, ``waits`` are the lines on which threads that launch the steps wait for others.
    """

    gathered: Gathered
    queues: Sequence[InputQueue]
    operations: Sequence[InputOperation]
    owners: Mapping[Part, str]
    taken_at: Frame | None
    waits: frozenset[LineKey]

    @property
    def nearest(self) -> InputQueue | None:
        """The queue that the steps take from."""
        return next((each for each in self.queues if each.is_nearest), None)


def host_parts(profile: Profile, centre: Centre, uses: Mapping[int, CoreUse]) -> HostParts:
    """The parts of the input of a profile; ``uses`` are of cores, by the system's numbers of threads and processes."""
    records = profile.host_records()
    events = profile.stage_events() or StageEvents()
    threads = loading_threads(profile, centre)
    steps = centre.steps
    borders_ps = np.concatenate([steps.start_ps, steps.start_ps + steps.duration_ps])
    told = {host: each.operations for host, each in records.items()}
    window_ps = profile.duration_ps
    gathered = gather_stages(centre, threads, events, told, window_ps, borders_ps)
    queues: list[FoundQueue] = []
    operations: list[InputOperation] = []
    owners: dict[Part, str] = {}
    for host in sorted({each.thread.host for each in threads}):
        seen = records.get(host)
        own = [] if seen is None else list(found_queues(host, seen, centre, threads, steps, window_ps))
        queues += own
        of_host = [each for each in threads if each.thread.host == host]
        loop = next((each.asks for each in of_host if each.asks is not None), own[0].taken_at if own else None)
        operations += operations_of(host, seen, centre, of_host, gathered, own, window_ps, uses, loop, owners)
    taken_at = next((each.taken_at for each in queues if each.record.is_nearest), None)
    waits = frozenset[LineKey]().union(*(each.waits for each in threads if each.is_launching))
    return HostParts(gathered, [each.record for each in queues], operations, owners, taken_at, waits)

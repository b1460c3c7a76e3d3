"""How much of a core threads and processes used, and for how long they waited for one."""

from collections.abc import Iterable, Mapping

import attrs

from scopelight.analysis.host.resources.records import ResourcesRecord


@attrs.frozen
class CoreUse:
    """Means over the span of the resources: of a core, and of the time waited for one, None where that is not told."""

    core_ratio: float
    waiting_ratio: float | None


def core_uses(resources: ResourcesRecord) -> Mapping[int, CoreUse]:
    """By the system's number of a thread or a process that came of the script's."""
    threads = {
        each.tid: CoreUse(each.core_ratio, each.waiting_ratio) for each in resources.threads if each.tid is not None
    }
    # A process has the number of its first thread, and all of them.
    return threads | {
        each.pid: CoreUse(each.core_ratio, each.waiting_ratio)
        for each in resources.processes
        if each.parent_pid is not None
    }


def mean_use(uses: Mapping[int, CoreUse], numbers: Iterable[int]) -> CoreUse | None:
    """The mean of those of the numbers that are known."""
    known = [uses[each] for each in numbers if each in uses]
    if not known:
        return None
    waits = [each.waiting_ratio for each in known if each.waiting_ratio is not None]
    return CoreUse(
        sum(each.core_ratio for each in known) / len(known),
        sum(waits) / len(waits) if len(waits) == len(known) else None,
    )

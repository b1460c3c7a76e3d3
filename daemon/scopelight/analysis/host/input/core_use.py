"""How much of a core threads and processes used, for how long they waited for one, and how much others used."""

from collections.abc import Iterable, Mapping

import attrs

from scopelight.analysis.host.resources.records import ResourcesRecord


@attrs.frozen
class CoreUse:
    """Means over the span of the resources: of a core, and of the time waited for one, None where that is not told."""

    core_ratio: float
    waiting_ratio: float | None


@attrs.frozen
class MachineUse:
    """How much of the cores was used in the steps; None where that was not read.

    ``busy_ratio`` of all cores by anyone, ``others_ratio`` of all by other programs, ``own_ratio`` of those that it may
    use by the script and the processes that came of it.
    """

    busy_ratio: float | None = None
    own_ratio: float | None = None
    others_ratio: float | None = None


def machine_use(resources: ResourcesRecord) -> MachineUse:
    """The means over the span of the resources."""
    idle = next((each for each in resources.series if each.quantity == "cpu_idle_ratio"), None)
    mean = {} if idle is None else {"steps": idle.steps_mean, "window": idle.window_mean, "run": idle.run_mean}
    left = mean.get(resources.span)
    busy_ratio = None if left is None else 1.0 - left
    if not resources.cores or not resources.processes:
        return MachineUse(busy_ratio)
    own_cores = sum(each.core_ratio for each in resources.processes)
    usable_cores = min(resources.cores, resources.usable_cores or resources.cores)
    return MachineUse(
        busy_ratio,
        min(1.0, own_cores / usable_cores),
        None if busy_ratio is None else max(0.0, busy_ratio - own_cores / resources.cores),
    )


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

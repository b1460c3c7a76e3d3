"""What could be better: more or fewer workers, fewer threads, another machine to oneself, a higher limit."""

from collections.abc import Iterator

import attrs

from scopelight.analysis.host.input.verdict import MODERATE
from scopelight.analysis.host.resources.records import ResourceProcess, ResourcesRecord
from scopelight.findings import Finding, advice

_EMPTY_GETS_RATIO = 0.3
"""Of the gets from a queue: where more find it empty, what fills it is slow."""
_IDLE_DEVICE_RATIO = 0.2
"""Where the device is idle for more, the host may be what is slow."""
_LOW_USER_RATIO = 0.5
"""Of the cores that the script may use."""
_LEAST_FREE_CORES = 0.5
"""Where fewer are idle, no worker more would get one."""
_SYSTEM_RATIO = 0.2
_SWITCHES_PER_CORE = 10_000
"""In a second: more are made by threads that get in each other's way."""
_WAITING_RATIO = 0.2
"""Of the time in which threads could have gone on, that no core was free."""
_LEAST_WAITING_CORES = 0.25
_BUSY_RATIO = 0.85
_OTHERS_RATIO = 0.25
"""Of all cores, that other programs take."""
_THROTTLED_RATIO = 0.05


@attrs.frozen
class _Means:
    """What the rules look at; ratios of all cores but for ``script_cores``, None where not known."""

    cores: float
    usable_cores: float
    user: float | None
    system: float | None
    idle: float | None
    switches_per_s: float | None
    throttled: float | None
    script_cores: float
    waiting_cores: float | None


def advice_for(
    record: ResourcesRecord,
    empty_gets_ratio: float | None,
    idle_device_ratio: float | None,
    input_ratio: float | None = None,
) -> Iterator[Finding]:
    """Advice for a script whose gets from its queues found them empty so often, and whose device was idle so much, for
    ``input_ratio`` of its steps because of its input.

    Each is None where it is not known: then it is said what to look at first.
    """
    if not record.cores or not record.processes:
        return
    means = _means_of(record, record.cores)
    if input_ratio is None or input_ratio >= MODERATE:
        yield from _more_workers(means, empty_gets_ratio, idle_device_ratio, input_ratio)
    yield from _fewer_workers(means)
    yield from _fewer_threads(means, record)
    if means.throttled is not None and means.throttled >= _THROTTLED_RATIO:
        yield advice("resources-throttled", throttled_ratio=means.throttled, usable_cores=means.usable_cores)


def _more_workers(
    means: _Means, empty_gets_ratio: float | None, idle_device_ratio: float | None, input_ratio: float | None
) -> Iterator[Finding]:
    if means.user is None or means.user * means.cores >= _LOW_USER_RATIO * means.usable_cores:
        return
    free_cores = max(0.0, (means.idle or 0.0) * means.cores)
    if free_cores < _LEAST_FREE_CORES:
        return
    if empty_gets_ratio is not None:
        if empty_gets_ratio > _EMPTY_GETS_RATIO:
            yield advice(
                "resources-more-workers",
                user_ratio=means.user,
                empty_gets_ratio=empty_gets_ratio,
                free_cores=round(free_cores, 1),
            )
    elif input_ratio is not None:
        yield advice(
            "resources-more-workers-input",
            user_ratio=means.user,
            input_ratio=input_ratio,
            free_cores=round(free_cores, 1),
        )
    elif idle_device_ratio is not None and idle_device_ratio > _IDLE_DEVICE_RATIO:
        yield advice(
            "resources-more-workers-perhaps",
            user_ratio=means.user,
            idle_device_ratio=idle_device_ratio,
            free_cores=round(free_cores, 1),
        )


def _fewer_workers(means: _Means) -> Iterator[Finding]:
    if means.system is None or means.switches_per_s is None:
        return
    if means.system >= _SYSTEM_RATIO and means.switches_per_s >= _SWITCHES_PER_CORE * means.cores:
        yield advice("resources-fewer-workers", system_ratio=means.system, switches=round(means.switches_per_s))


def _fewer_threads(means: _Means, record: ResourcesRecord) -> Iterator[Finding]:
    """A core was waited for: because of the script's own threads, or of other programs."""
    if means.waiting_cores is None or means.idle is None or 1 - means.idle < _BUSY_RATIO:
        return
    could_go_on = means.waiting_cores + means.script_cores
    if means.waiting_cores < max(_LEAST_WAITING_CORES, _WAITING_RATIO * could_go_on):
        return
    waiting_ratio = means.waiting_cores / could_go_on
    others_cores = (1 - means.idle) * means.cores - means.script_cores
    if others_cores >= _OTHERS_RATIO * means.cores:
        yield advice("resources-others", waiting_ratio=waiting_ratio, others_cores=round(others_cores, 1))
        return
    most = max(
        (each for each in record.threads if each.tid is not None),
        key=lambda each: each.waiting_ratio or 0.0,
        default=None,
    )
    yield attrs.evolve(
        advice(
            "resources-fewer-threads",
            waiting_ratio=waiting_ratio,
            usable_cores=means.usable_cores,
            thread=most.name if most is not None else None,
        ),
        evidence=() if most is None else (most.key,),
    )


def _means_of(record: ResourcesRecord, cores: int) -> _Means:
    def mean(quantity: str) -> float | None:
        found = next((each for each in record.series if each.quantity == quantity), None)
        means = {} if found is None else {"steps": found.steps_mean, "window": found.window_mean, "run": found.run_mean}
        return means.get(record.span)

    waits = [each.waiting_ratio for each in record.processes if each.waiting_ratio is not None]
    processes: tuple[ResourceProcess, ...] = record.processes
    return _Means(
        cores=cores,
        usable_cores=min(float(cores), record.usable_cores or cores),
        user=mean("cpu_user_ratio"),
        system=mean("cpu_system_ratio"),
        idle=mean("cpu_idle_ratio"),
        switches_per_s=mean("switches_per_s"),
        throttled=mean("throttled_ratio"),
        script_cores=sum(each.core_ratio for each in processes),
        waiting_cores=sum(waits) if waits else None,
    )

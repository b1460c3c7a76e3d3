"""Records of the resources of a host while a script ran."""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.records import ViewRecord

ResourceQuantity = Literal[
    "cpu_user_ratio",
    "cpu_system_ratio",
    "cpu_iowait_ratio",
    "cpu_stolen_ratio",
    "cpu_idle_ratio",
    "running_threads",
    "blocked_threads",
    "switches_per_s",
    "cpu_pressure_ratio",
    "io_pressure_ratio",
    "memory_pressure_ratio",
    "throttled_ratio",
    "process_core_ratio",
    "thread_core_ratio",
    "thread_waiting_ratio",
    "available_bytes",
    "process_resident_bytes",
    "disk_read_bytes_per_s",
    "disk_written_bytes_per_s",
    "network_received_bytes_per_s",
    "network_sent_bytes_per_s",
    "device_busy_ratio",
    "device_used_bytes",
]
"""What a series is of. ``cpu_`` ratios are shares of all cores and sum to 1. ``_core_ratio`` is time on cores over time
and ``_waiting_ratio`` time of waiting for one: above 1 where several threads do so at once. Pressure is the share of
time in which some thread of the machine lacked a core, a disk or memory; ``throttled_ratio`` the time for which the
limit of the control group held cores back, over time."""

ResourceSpan = Literal["steps", "window", "run"]
"""What a mean is over: the complete steps, the window that was captured, or all that was read."""


@attrs.frozen(slots=True)
class ResourceSeries:
    """A quantity over time: ``values`` are its means between neighbours of the record's ``edges_ps``.

    ``name`` is of the process, the threads or the accelerator that it is of, empty for the machine; ``number`` of them
    are summed up, those that are not in a series of their own where ``is_rest``. ``pid`` is the process, or of threads
    theirs where there are several; ``is_main`` of its main thread. ``step_values`` are its means in the ``steps``, none
    where those are too many.
    """

    key: str
    quantity: ResourceQuantity
    name: str
    number: int
    is_rest: bool
    pid: int | None
    is_main: bool
    values: tuple[float | None, ...]
    step_values: tuple[float | None, ...]
    steps_mean: float | None
    window_mean: float | None
    run_mean: float | None


@attrs.frozen(slots=True)
class ResourceStep:
    """A complete step, to be laid over the series."""

    name: str
    start_ps: int
    end_ps: int


@attrs.frozen(slots=True)
class ResourceProcess:
    """The script's process, or one that came of it, such as a worker that loads data.

    Ratios are means over the record's ``span``: of a core's time. ``waiting`` is for a core, of all its threads;
    ``resident_bytes`` the most in the span. ``ended_ps`` is None where it was there to the last reading. ``works_for``
    are the names of the operations on data that it works for, as the view of the input has them.
    """

    key: str
    name: str
    pid: int
    parent_pid: int | None
    started_ps: int
    ended_ps: int | None
    threads: int
    core_ratio: float
    user_ratio: float | None
    system_ratio: float | None
    waiting_ratio: float | None
    resident_bytes: int | None
    read_bytes_per_s: float | None
    written_bytes_per_s: float | None
    steps_cpu_ps: int | None
    window_cpu_ps: int | None
    run_cpu_ps: int
    steps_waiting_ps: int | None
    window_waiting_ps: int | None
    run_waiting_ps: int | None
    works_for: tuple[str, ...] = ()


@attrs.frozen(slots=True)
class ResourceThread:
    """A thread. ``tid`` is the system's number of it, ``works_for`` are the operations on data that it works for.

    Without a number it stands for ``number`` threads of its process that have no row, or, where that is 0, for those
    that came and went between two looks: the threads of a process sum to its time on a core.
    """

    key: str
    name: str
    tid: int | None
    number: int
    pid: int
    process: str
    core_ratio: float
    waiting_ratio: float | None
    switches_per_s: float | None
    steps_cpu_ps: int | None
    window_cpu_ps: int | None
    run_cpu_ps: int
    steps_waiting_ps: int | None
    window_waiting_ps: int | None
    run_waiting_ps: int | None
    works_for: tuple[str, ...] = ()


@attrs.frozen(slots=True)
class ResourceDevice:
    """An accelerator of the machine, whoever uses it: its means over the record's ``span``, and most used memory."""

    key: str
    kind: Literal["gpu", "tpu"]
    index: int
    name: str
    busy_ratio: float | None
    used_bytes: int | None
    total_bytes: int | None


@attrs.frozen(slots=True)
class ResourcesRecord(ViewRecord):
    """What was read of a host while a script ran, over time and in sum.

    Times count from the profile's first event, so that what came before is negative; from the first reading where the
    profile does not say when it was made. Ratios of rows are over ``span``, which lasts ``span_ps``; a ``steps_``,
    ``window_`` or ``run_`` quantity is of that. ``period_ps`` lies between two readings in the window, of ``readings``
    in all, which took ``reading_ratio`` of a core. ``usable_cores`` of ``cores`` are the script's to use.
    """

    ROWS: ClassVar = "threads"

    cores: int | None = None
    usable_cores: float | None = None
    memory_bytes: int | None = None
    readings: int = 0
    period_ps: int | None = None
    reading_ratio: float | None = None
    span: ResourceSpan = "run"
    span_ps: int = 0
    window_ps: int | None = None
    """How long the captured window is, which begins at 0; None where it is not known when that was."""
    edges_ps: tuple[int, ...] = ()
    series: tuple[ResourceSeries, ...] = ()
    steps: tuple[ResourceStep, ...] = ()
    processes: tuple[ResourceProcess, ...] = ()
    threads: tuple[ResourceThread, ...] = ()
    devices: tuple[ResourceDevice, ...] = ()

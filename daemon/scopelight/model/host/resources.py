"""What the machine, the script's processes and accelerators did, by what was read of them while the script ran."""

from collections.abc import Mapping, Sequence
from typing import Literal

import attrs
import numpy as np

from scopelight.findings import Finding
from scopelight.formats.columns import Float64, Int64

DeviceKind = Literal["gpu", "tpu"]
CPU_STATES = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
"""What a core does at a moment, in the order in which it is kept."""


@attrs.frozen(eq=False, repr=False)
class Counter:
    """A count that only grows, as it stood at some moments. It is taken to grow evenly between two of them."""

    time_ns: Int64
    """Since the epoch, ascending."""
    value: Int64

    def __len__(self) -> int:
        return len(self.time_ns)

    def grown(self, from_ns: Int64, to_ns: Int64) -> Float64:
        """By how much it grows in each span of time. Before the first moment and after the last it stands still."""
        if not len(self):
            return np.zeros(len(from_ns))
        # Nanoseconds since the epoch have more digits than a float.
        origin_ns = int(self.time_ns[0])
        moments = (self.time_ns - origin_ns).astype(np.float64)
        values = (self.value - int(self.value[0])).astype(np.float64)
        from_, to = ((each - origin_ns).astype(np.float64) for each in (from_ns, to_ns))
        return np.asarray(np.interp(to, moments, values) - np.interp(from_, moments, values), dtype=np.float64)


@attrs.frozen(eq=False, repr=False)
class Level:
    """A quantity that goes up and down, as it stood at some moments: it is taken to stay until the next."""

    time_ns: Int64
    """Since the epoch, ascending."""
    value: Float64

    def __len__(self) -> int:
        return len(self.time_ns)

    def mean(self, from_ns: Int64, to_ns: Int64) -> Float64:
        """Its mean in each span of time that is not empty; NaN in those that begin before its first moment."""
        means = np.full(len(from_ns), np.nan)
        if not len(self):
            return means
        origin_ns = int(self.time_ns[0])
        moments = (self.time_ns - origin_ns).astype(np.float64)
        area = np.concatenate(([0.0], np.cumsum(self.value[:-1] * np.diff(moments))))

        def area_until(time_ns: Int64) -> Float64:
            times = np.maximum((time_ns - origin_ns).astype(np.float64), 0.0)
            at = np.searchsorted(moments, times, side="right") - 1
            return np.asarray(area[at] + self.value[at] * (times - moments[at]), dtype=np.float64)

        width = (to_ns - from_ns).astype(np.float64)
        known = (from_ns >= origin_ns) & (width > 0)
        means[known] = ((area_until(to_ns) - area_until(from_ns))[known]) / width[known]
        return means


@attrs.frozen(eq=False, repr=False)
class HostProcess:
    """The script's process or one that came of it. ``parent`` is the id of another one."""

    id: int
    pid: int
    parent: int | None
    name: str
    started_ns: int
    ended_ns: int | None
    """None where it was there to the last reading."""
    cpu: Counter
    """Nanoseconds on a core, of all its threads."""
    user: Counter
    """Of these in its own code, and in the kernel: counted in hundredths of a second."""
    system: Counter
    read: Counter
    """Bytes that it had fetched from disks, and has written to them."""
    written: Counter
    resident: Level
    """Bytes."""


@attrs.frozen(eq=False, repr=False)
class HostThread:
    """A thread of one of them. ``process`` is the process's id, ``tid`` the system's number of the thread."""

    id: int
    process: int
    tid: int
    name: str
    cpu: Counter
    """Nanoseconds on a core."""
    waiting: Counter
    """Nanoseconds for which it could have gone on and no core was free for it; empty where that is not told."""
    switches: Counter
    """How often it got a core."""


@attrs.frozen(eq=False, repr=False)
class HostDevice:
    """An accelerator of the machine, whoever uses it."""

    kind: DeviceKind
    index: int
    name: str
    busy: Level
    """Share of time in which it worked."""
    used: Level
    """Bytes of its memory."""
    total_bytes: int | None


@attrs.frozen(eq=False, repr=False)
class HostResources:
    """All that was read. ``counters`` and ``levels`` are of the machine as a whole, by name; those that a system does
    not tell of are absent.

    Counters: ``CPU_STATES`` in ns of all cores, ``switches``, ``cpu_pressure_ns``, ``io_pressure_ns``,
    ``memory_pressure_ns``, ``throttled_ns``, ``disk_read_bytes``, ``disk_written_bytes``, ``network_received_bytes``,
    ``network_sent_bytes``. Levels: ``running`` and ``blocked`` threads, ``available_bytes``.
    """

    readings_ns: Int64
    """When it was read, in ns since the epoch, ascending."""
    cost_ns: int = 0
    """Of a core's time, that reading took."""
    cores: int | None = None
    usable_cores: float | None = None
    """That the script may use."""
    memory_bytes: int | None = None
    counters: Mapping[str, Counter] = attrs.Factory(dict)
    levels: Mapping[str, Level] = attrs.Factory(dict)
    processes: Sequence[HostProcess] = ()
    threads: Sequence[HostThread] = ()
    devices: Sequence[HostDevice] = ()
    findings: Sequence[Finding] = ()

    def __len__(self) -> int:
        return len(self.readings_ns)

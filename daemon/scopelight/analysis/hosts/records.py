"""Records of hosts: their cost, cores, collectives, links and clocks."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import attrs

from scopelight.analysis.hosts.breakdown import CorePart
from scopelight.analysis.records import ViewRecord

SlowReason = Literal["launched-late", "worked-longer"]
"""Whether most of what a host costs is that it launches its runs late, or that it works longer between collectives."""

LayoutKind = Literal["chips", "mesh", "hosts"]
"""Cells by the coordinates of chips, by the axes of the mesh that collectives go along, or hosts by their devices."""


@attrs.frozen(slots=True)
class HostRow:
    """A host, and what the steps would take less if it were like the others, by replay.

    ``offset_ps`` is to be added to its clock so that it agrees with the first host's; that may be wrong by
    ``offset_error_ps``, and is None where nothing says it. ``applied_offset_ps`` was added: nothing where it is less
    than what may be wrong about it. A cost is that of a step; None where hosts were not compared, or the host is not
    among those that may cost anything. ``is_named``: it costs enough, and much more than any other. ``reason`` is what
    most of its cost is, where it is named; ``path``, ``file``, ``line``, ``op`` and ``where`` say what it does then:
    the line of the source, the op there, or what its host was marked to be in. ``excess_per_step_ps`` is how much
    longer it does that than the others.
    """

    host: str
    devices: int
    offset_ps: int | None
    offset_error_ps: int | None
    applied_offset_ps: int
    cost_per_step_ps: int | None
    launched_late_per_step_ps: int | None
    worked_longer_per_step_ps: int | None
    wait_per_step_ps: int
    move_per_step_ps: int
    is_named: bool = False
    reason: SlowReason | None = None
    path: str | None = None
    file: str | None = None
    line: int | None = None
    op: str | None = None
    where: str | None = None
    excess_per_step_ps: int | None = None


@attrs.frozen(slots=True)
class CoreRow:
    """A core: ``id`` is that of its device in the job (None where it is not known), ``chip`` and ``core`` the numbers
    of its chip in the job and of the core on it. ``parts`` sum to ``step_ps``, the mean of its steps. Its cost is that
    of its host; where all devices are of one host it is that of the device, which may be named for it."""

    device: str
    host: str
    ordinal: int
    id: int | None
    chip: int | None
    core: int | None
    step_ps: int
    parts: Mapping[CorePart, int]
    cost_per_step_ps: int | None = None
    is_named: bool = False


@attrs.frozen(slots=True)
class CoreStep:
    """A core in one step; ``parts`` sum to ``duration_ps``. ``core`` is its row among the cores."""

    core: int
    duration_ps: int
    parts: Mapping[CorePart, int]


@attrs.frozen(slots=True)
class HostsStep:
    """A step that all hosts have; ``number`` counts from 1.

    ``start_ps`` is when the first host began it, from the profile's first event on; ``duration_ps`` is the median of
    the hosts', which begin it at different times where one is late. ``cores`` are left out where they are too many to
    be looked at one by one.
    """

    number: int
    start_ps: int
    duration_ps: int
    cores: tuple[CoreStep, ...]


@attrs.frozen(slots=True)
class MetCollective:
    """A collective over all devices: means of one device and step. ``latest`` is the host that came last most often.

    ``bytes`` are those that a device sends over its link in one execution; ``bytes_per_s`` of its best moving.
    """

    name: str
    op: str
    kind: str
    axes: tuple[str, ...]
    participants: int
    per_step: float
    bytes: int | None
    wait_per_step_ps: int
    move_per_step_ps: int
    bytes_per_s: float | None
    latest: str
    latest_ratio: float
    path: str | None = None
    file: str | None = None
    line: int | None = None


@attrs.frozen(slots=True)
class LayoutCell:
    """Where a core is drawn: ``core`` is its row among the cores, ``slot`` its place among those of one chip."""

    core: int
    x: int
    y: int
    z: int = 0
    slot: int = 0


@attrs.frozen(slots=True)
class Layout:
    """One way to draw the cores: ``columns`` by ``rows`` in each of ``planes``, with ``slots`` cores at one place.

    ``x_name`` and so on name the axes; empty where they have no name.

    ``is_recorded``: the coordinates were recorded; those of chips may also be told from their numbers.
    """

    kind: LayoutKind
    columns: int
    rows: int
    planes: int
    slots: int
    x_name: str
    y_name: str
    z_name: str
    cells: tuple[LayoutCell, ...]
    is_recorded: bool = False


@attrs.frozen(slots=True)
class LinkRow:
    """What devices send each other over one edge: means of all executions of its ``ops``, names as jax has them.

    ``best_bytes_per_s`` and ``median_bytes_per_s`` are of its ``bytes``; ``latency_ps`` (median) is from when both had
    come to the end of the receiver, ``best_latency_ps`` the least of it, ``send_delay_ps`` by how much the sender came
    later. ``kind`` tells edges within a host from those between hosts. ``is_named``: it is much slower than others of
    its kind, and costs the steps. A link of a collective of several devices has them in ``group``.
    """

    source: str
    destination: str
    source_host: str
    destination_host: str
    kind: Literal["edge", "group"]
    ops: tuple[str, ...]
    names: tuple[str, ...]
    channels: tuple[int, ...]
    executions: int
    bytes: int | None
    best_bytes_per_s: float | None
    median_bytes_per_s: float | None
    latency_ps: int
    best_latency_ps: int
    send_delay_ps: int
    slower_ratio: float | None = None
    cost_per_step_ps: int | None = None
    is_named: bool = False
    group: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    path: str | None = None
    file: str | None = None
    line: int | None = None


@attrs.frozen(slots=True)
class ClockRow:
    """The clock of a host: see `HostRow`. ``started_ns`` is what its profiler said when its profile began; ``meetings``
    is in how many collectives it met another host."""

    host: str
    started_ns: int | None
    offset_ps: int | None
    offset_error_ps: int | None
    applied_offset_ps: int
    meetings: int


@attrs.frozen(slots=True)
class HostsRecord(ViewRecord):
    """What each host costs the steps.

    ``step_ps`` is how long a step takes in the median; ``instances`` is how often collectives met, and in
    ``complete_instances`` of them all participants are in the profile.
    """

    ROWS: ClassVar[str] = "hosts"

    hosts: tuple[HostRow, ...]
    steps: tuple[HostsStep, ...]
    step_ps: int | None
    step_count: int
    cores: tuple[CoreRow, ...]
    layouts: tuple[Layout, ...]
    collectives: tuple[MetCollective, ...]
    executions: int
    instances: int
    complete_instances: int
    links: tuple[LinkRow, ...]
    clocks: tuple[ClockRow, ...]


@attrs.frozen(slots=True)
class LinksRecord(ViewRecord):
    """What devices sent each other: each edge, and each group of a collective of several devices."""

    ROWS: ClassVar[str] = "links"

    links: tuple[LinkRow, ...]


@attrs.frozen(slots=True)
class ClocksRecord(ViewRecord):
    """By how much the clocks of hosts differ, held against the first one's."""

    ROWS: ClassVar[str] = "clocks"

    clocks: tuple[ClockRow, ...]
    is_consistent: bool

"""Summary: what of a host's profile is needed to compare it with those of other hosts.

It is a hundredth of the file or less, and those of several hosts are merged into one of the same form: what hosts cost
each other is found in it without any of their files.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import attrs
import numpy as np

from scopelight.findings import Finding
from scopelight.formats.columns import Int32, Int64
from scopelight.model.executions import ChipCore
from scopelight.model.rendezvous.collectives import Collectives
from scopelight.model.rendezvous.runs import RunColumns
from scopelight.program.hlo.frames import Stack

T = TypeVar("T")


@attrs.frozen
class SummarisedHost:
    """A host: ``name`` is that of its file, ``started_ns`` when its times count from, in ns since the epoch; None where
    the profiler does not say."""

    name: str
    started_ns: int | None = None
    findings: tuple[Finding, ...] = ()


@attrs.frozen
class SummarisedDevice:
    """A device of a host (a row of the hosts); ``id`` is that among all devices of the job, negative where unknown."""

    host: int
    name: str
    kind: str
    ordinal: int
    id: int
    core: ChipCore | None = None
    model: str = ""
    """What its plane calls it: ``TPU v6 Lite``."""


@attrs.frozen
class WorkOp:
    """An op that a device works on, equal wherever the same program runs: not one in which devices meet."""

    program: int
    name: str
    op_name: str = attrs.field(default="", eq=False)
    stack: Stack = attrs.field(default=(), eq=False)


@attrs.frozen(eq=False, repr=False)
class StepColumns:
    """Columns of equal length, one row per complete step of a host, by its own clock.

    ``number`` is that of the annotation, else -1; ``run`` the run (a row of the runs) that the step is mostly for.
    """

    host: Int32
    number: Int64
    start_ps: Int64
    duration_ps: Int64
    run: Int64


@attrs.frozen(eq=False, repr=False)
class CoreColumns:
    """What each device did in each step: columns of equal length, ``parts_ps`` is int64[rows, parts].

    Of collectives it is not told apart yet what is waiting: ``exposed_*`` say of which (rows of the collectives, and of
    these columns) that time is.
    """

    device: Int32
    step: Int64
    parts_ps: Int64
    exposed_collective: Int64
    exposed_core: Int64
    exposed_ps: Int64


@attrs.frozen(eq=False, repr=False)
class WorkColumns:
    """Self time of ops in the steps, by device: columns of equal length."""

    op: Int32
    device: Int32
    self_ps: Int64
    ops: tuple[WorkOp, ...]


@attrs.frozen(eq=False, repr=False)
class Summary:
    """Of one host or of several, in the order of their names. Times of a host count from its ``started_ns``."""

    hosts: tuple[SummarisedHost, ...]
    devices: tuple[SummarisedDevice, ...]
    program_names: Mapping[int, str]
    collectives: Collectives
    runs: RunColumns
    steps: StepColumns
    cores: CoreColumns
    work: WorkColumns
    parts: tuple["Summary", ...] = ()
    """Those of single hosts that it was merged from; none of a single host."""

    @cached_property
    def host_of_device(self) -> Int32:
        """By device the row of its host."""
        return np.array([each.host for each in self.devices], dtype=np.int32)

    @cached_property
    def ids(self) -> Int64:
        """By device its id in the job."""
        return np.array([each.id for each in self.devices], dtype=np.int64)


def merge(summaries: Iterable[Summary]) -> Summary:
    """One summary of the hosts of all: in whatever order they are merged, two at a time or at once, it is the same.

    Raises ``ValueError`` where there are none.
    """
    parts = sorted(
        (part for each in summaries for part in (each.parts or (each,))), key=lambda each: each.hosts[0].name
    )
    if not parts:
        raise ValueError("no summaries")
    if len(parts) == 1:
        return parts[0]
    hosts, devices = _Offsets(parts, lambda each: len(each.hosts)), _Offsets(parts, lambda each: len(each.devices))
    runs, steps = _Offsets(parts, lambda each: len(each.runs.device)), _Offsets(parts, lambda each: len(each.steps.run))
    rows = _Offsets(parts, lambda each: len(each.collectives))
    cores = _Offsets(parts, lambda each: len(each.cores.device))
    return Summary(
        hosts=tuple(host for each in parts for host in each.hosts),
        devices=tuple(
            attrs.evolve(device, host=device.host + first)
            for each, first in zip(parts, hosts.firsts, strict=True)
            for device in each.devices
        ),
        program_names={name: each.program_names[name] for each in reversed(parts) for name in each.program_names},
        collectives=_merged_collectives(parts, devices, runs),
        runs=RunColumns(
            program=_joined(parts, lambda each: each.runs.program),
            device=devices.moved(lambda each: each.runs.device),
            run_id=np.concatenate([each.runs.run_id for each in parts]),
            start_ps=_joined(parts, lambda each: each.runs.start_ps),
            end_ps=_joined(parts, lambda each: each.runs.end_ps),
            step=_joined(parts, lambda each: each.runs.step),
        ),
        steps=StepColumns(
            host=hosts.moved(lambda each: each.steps.host),
            number=_joined(parts, lambda each: each.steps.number),
            start_ps=_joined(parts, lambda each: each.steps.start_ps),
            duration_ps=_joined(parts, lambda each: each.steps.duration_ps),
            run=runs.moved(lambda each: each.steps.run).astype(np.int64),
        ),
        cores=CoreColumns(
            device=devices.moved(lambda each: each.cores.device),
            step=steps.moved(lambda each: each.cores.step).astype(np.int64),
            parts_ps=_joined(parts, lambda each: each.cores.parts_ps),
            exposed_collective=rows.moved(lambda each: each.cores.exposed_collective).astype(np.int64),
            exposed_core=cores.moved(lambda each: each.cores.exposed_core).astype(np.int64),
            exposed_ps=_joined(parts, lambda each: each.cores.exposed_ps),
        ),
        work=_merged_work(parts, devices),
        parts=tuple(parts),
    )


class _Offsets:
    """Rows of a table of each part, where the tables of all parts are one."""

    def __init__(self, parts: Sequence[Summary], size: Callable[[Summary], int]) -> None:
        self._parts = parts
        self.firsts: list[int] = np.cumsum([0, *(size(each) for each in parts)])[:-1].tolist()
        self.count = sum(size(each) for each in parts)

    def moved(self, column: Callable[[Summary], Int32 | Int64]) -> Int32:
        """A column of such rows; -1 stays."""
        found = [
            np.where(column(each) >= 0, column(each) + first, -1)
            for each, first in zip(self._parts, self.firsts, strict=True)
        ]
        return np.concatenate(found).astype(column(self._parts[0]).dtype, copy=False)


def _joined(parts: Sequence[Summary], column: Callable[[Summary], Int64]) -> Int64:
    return np.concatenate([column(each) for each in parts])


def _numbered(of_parts: Sequence[Sequence[T]]) -> tuple[tuple[T, ...], list[Int32]]:
    """What occurs in any part, each once, and by part the rows of its own."""
    ops: dict[T, int] = {}
    rows = [np.array([ops.setdefault(op, len(ops)) for op in each], dtype=np.int32) for each in of_parts]
    return tuple(ops), rows


def _merged_collectives(parts: Sequence[Summary], devices: _Offsets, runs: _Offsets) -> Collectives:
    ops, rows_of = _numbered([each.collectives.ops for each in parts])
    shape = (len(ops), devices.count)
    # Where a device never met for an op it has no place in it.
    group, size, source = np.zeros(shape, np.int32), np.zeros(shape, np.int32), np.full(shape, -1, np.int32)
    for each, rows, first in zip(parts, rows_of, devices.firsts, strict=True):
        columns = np.arange(first, first + len(each.devices))
        for whole, part in ((group, each.collectives.group), (size, each.collectives.size)):
            whole[np.ix_(rows, columns)] = part
        source[np.ix_(rows, columns)] = each.collectives.source
    op = [rows[each.collectives.op] for each, rows in zip(parts, rows_of, strict=True)]
    count = sum(map(len, op))
    return Collectives(
        op=np.concatenate(op),
        device=devices.moved(lambda each: each.collectives.device),
        run=runs.moved(lambda each: each.collectives.run),
        occurrence=np.concatenate([each.collectives.occurrence for each in parts]),
        start_ps=_joined(parts, lambda each: each.collectives.start_ps),
        awaited_ps=_joined(parts, lambda each: each.collectives.awaited_ps),
        end_ps=_joined(parts, lambda each: each.collectives.end_ps),
        row=np.arange(count, dtype=np.int64),
        ops=ops,
        group=group,
        size=size,
        source=source,
    )


def _merged_work(parts: Sequence[Summary], devices: _Offsets) -> WorkColumns:
    ops, rows_of = _numbered([each.work.ops for each in parts])
    op = [rows[each.work.op] for each, rows in zip(parts, rows_of, strict=True)]
    return WorkColumns(
        np.concatenate(op),
        devices.moved(lambda each: each.work.device),
        _joined(parts, lambda each: each.work.self_ps),
        ops,
    )

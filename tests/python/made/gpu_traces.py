"""Traces of GPUs made by hand, with launches that are known: programs, threads that launch them, streams."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import attrs

from made.xspace import message, number, text
from scopelight.formats.hlo import hlo_pb2

MICROSECOND = 10**6
"""In picoseconds."""

HostSide = Literal["same row", "two rows", "calls", "nothing"]
"""What a trace has of the host: calls in the thread's own row (CUDA), or in one of their own beside that of its spans
(ROCm), calls alone, or nothing."""


@attrs.frozen
class MadeOp:
    """An instruction of the entry computation and the kernels of one execution of it.

    One of opcode ``while`` runs its kernel, the copy of its condition, and then those of ``body`` so many times.
    """

    name: str
    opcode: str = "fusion"
    kernels: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    times: int = 0
    stream: int = 0

    def launches(self):
        """Instruction and kernel of all that one execution launches, in order."""
        if self.opcode == "while":
            for _ in range(self.times):
                yield self.name, "MemcpyD2H"
                yield from ((each, each) for each in self.body)
            return
        yield from ((self.name, each) for each in self.kernels or (self.name,))


@attrs.frozen(repr=False)
class MadeProgram:
    name: str
    program_id: int
    ops: tuple[MadeOp, ...]
    is_graph: bool = False
    """Whether one call of the host launches all of its kernels."""

    def __repr__(self):
        return self.name


@attrs.frozen
class Launch:
    program: MadeProgram
    thread: int = 0
    device: int = 0


@attrs.define
class Trace:
    """What is written, and which launch each kernel is of: by device, stream and start."""

    path: Path
    launch_of: dict[tuple[str, str, int], int] = attrs.field(factory=dict)


def _proto(program):
    proto = hlo_pb2.HloProto()
    module = proto.hlo_module
    module.name, module.id, module.entry_computation_id = program.name, program.program_id, 1
    entry = module.computations.add(name="main", id=1)
    body = module.computations.add(name="body", id=2) if any(op.body for op in program.ops) else entry
    identity = 0
    for op in program.ops:
        for computation, name, opcode in [(entry, op.name, op.opcode), *((body, each, "fusion") for each in op.body)]:
            identity += 1
            made = computation.instructions.add(name=name, opcode=opcode, id=identity)
            made.shape.element_type = 11
            if opcode == "fusion":
                made.fusion_kind = "kLoop"
            if opcode == "while":
                made.called_computation_ids.append(2)
    for each in module.computations:
        each.root_id = each.instructions[-1].id
    return proto.SerializeToString()


class _Plane:
    """A plane put together event by event; stats are whole numbers and texts."""

    def __init__(self, name):
        self._name = name
        self._names, self._stats, self._lines = {}, {}, {}

    def add(self, line, name, start_ps, duration_ps, **stats):
        event = [number(1, self._names.setdefault(name, len(self._names) + 1)), number(2, start_ps)]
        event.append(number(3, duration_ps))
        for each, value in stats.items():
            key = number(1, self._stats.setdefault(each, len(self._stats) + 1))
            event.append(message(4, key, text(5, value) if isinstance(value, str) else number(4, value)))
        self._lines.setdefault(line, []).append(message(4, *event))

    def bytes(self):
        lines = [
            message(3, number(1, row), text(2, line), number(3, 1_000_000), *events)
            for row, (line, events) in enumerate(self._lines.items(), 1)
        ]
        names = [
            message(field, number(1, key), message(2, number(1, key), text(2, name)))
            for field, table in ((4, self._names), (5, self._stats))
            for name, key in table.items()
        ]
        return message(1, text(2, self._name), *lines, *names)


def _programs_plane(programs):
    entries = [
        message(
            4,
            number(1, row),
            message(
                2,
                number(1, row),
                text(2, f"{each.name}({each.program_id})"),
                message(5, number(1, 1), message(6, _proto(each))),
            ),
        )
        for row, each in enumerate(programs, 1)
    ]
    stat = message(5, number(1, 1), message(2, number(1, 1), text(2, "Hlo Proto")))
    return message(1, text(2, "/host:metadata"), *entries, stat)


def write_trace(
    path: Path,
    launches: Sequence[Launch],
    order: Sequence[int] = (),
    *,
    host: HostSide = "same row",
    kernel_ps: int = 3 * MICROSECOND,
    joins_streams: bool = False,
    first_span: int = 0,
) -> Trace:
    """Write what a host that launches these programs records, thread by thread in the order given.

    ``order`` names by thread, once for each call, who calls next; those that it does not name call launch by launch.
    Launches before ``first_span`` began before the capture, which has no span of them. ``joins_streams`` makes a
    launch wait until all streams of its device are done, as XLA does at the end of a run.
    """
    trace = Trace(path)
    planes = {"host": _Plane("/host:CPU")}
    calls = {}
    for launch_number, launch in enumerate(launches):
        each = [("begin", launch_number, launch)]
        each += [
            ("kernel", launch_number, launch, op, *kernel) for op in launch.program.ops for kernel in op.launches()
        ]
        calls.setdefault(launch.thread, []).extend([*each, ("end", launch_number, launch)])
    turns = [thread for thread in order if thread in calls]
    queue = []
    for thread in turns:
        if calls[thread]:
            queue.append(calls[thread].pop(0))
    rest = sorted((call for each in calls.values() for call in each), key=lambda call: call[1])
    now, correlation = MICROSECOND, 0
    free, began, graph_of = {}, {}, {}
    for kind, launch_number, launch, *of_kernel in [*queue, *rest]:
        now += MICROSECOND
        thread, device = launch.thread, f"/device:GPU:{launch.device}"
        spans = f"python {thread}"
        row = spans if host == "same row" else f"Host Threads/{100 + thread}"
        if kind == "begin":
            began[launch_number] = now
            if joins_streams:
                busy = [ends for (where, _), ends in free.items() if where == device]
                free |= {(device, stream): max(busy, default=0) for stream in range(3)}
        elif kind == "end":
            if host in ("same row", "two rows") and launch_number >= first_span:
                start_ps = began[launch_number]
                name = f"{launch.program.name}:XLA GPU module"
                planes["host"].add(spans, name, start_ps, now - start_ps + MICROSECOND // 2)
        else:
            op, instruction, kernel = of_kernel
            is_first = launch_number not in graph_of
            if is_first or not launch.program.is_graph:
                correlation += 1
                if host != "nothing":
                    planes["host"].add(row, "cuLaunchKernel", now, MICROSECOND // 2, correlation_id=correlation)
            graph_of.setdefault(launch_number, correlation)
            where = (device, op.stream)
            start_ps = max(now + MICROSECOND // 4, free.get(where, 0))
            free[where] = start_ps + kernel_ps
            line = f"Stream #{op.stream + 10}(Kernel)"
            planes.setdefault(device, _Plane(device)).add(
                line,
                kernel,
                start_ps,
                kernel_ps,
                correlation_id=graph_of[launch_number] if launch.program.is_graph else correlation,
                hlo_op=instruction,
                hlo_module=launch.program.name,
                program_id=launch.program.program_id,
            )
            trace.launch_of[device, line, start_ps] = launch_number
    # Of the programs the last to be asked for is the first on record, and devices may come before the host.
    programs = list({launch.program.program_id: launch.program for launch in launches}.values())
    host_plane = planes.pop("host")
    parts = [_programs_plane(programs), *(each.bytes() for each in planes.values())]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join([*parts, host_plane.bytes()] if host != "nothing" else parts))
    return trace

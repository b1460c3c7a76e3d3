"""Collectives: the executions in which devices exchange data, one row for each device that took part."""

import math
from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.model.async_ops import async_pairs, ended_by
from scopelight.model.executions import Executions, Op
from scopelight.model.op_work import Work, work_of
from scopelight.model.rendezvous.programs import signed
from scopelight.program.hlo.category import COLLECTIVES
from scopelight.program.hlo.device_groups import global_groups, global_pairs
from scopelight.program.hlo.fingerprint import fingerprint_of
from scopelight.program.hlo.frames import Stack
from scopelight.program.hlo.groups import ReplicaGroups
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.sizes import byte_size

Groups = tuple[tuple[int, ...], ...]

_HEADED = ("all-gather-start", "collective-permute-start")
"""Their results are tuples of what goes in, what comes out and, of permutes, counters."""
_BARRIERS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "ragged-all-to-all")
"""Nobody leaves one of these before everybody has come."""
_POINT_TO_POINT = ("collective-permute", "send", "recv")


@attrs.frozen
class CollectiveOp:
    """A collective of a compiled program, equal wherever the same program runs.

    ``program`` is the fingerprint of the program (0 where the profile does not hold it), ``name`` the instruction's.
    ``bytes`` are those of the result on one device, None where they are not known. ``axes`` are the mesh's that it goes
    along, by name, where the program has them.
    """

    program: int
    name: str
    kind: str = attrs.field(eq=False)
    """Its opcode without ``-start``: ``all-reduce``, ``collective-permute``, ``send``."""
    bytes: int | None = attrs.field(default=None, eq=False)
    axes: tuple[str, ...] = attrs.field(default=(), eq=False)
    mesh: tuple[tuple[str, int], ...] = attrs.field(default=(), eq=False)
    """All axes of that mesh with their sizes, the last varying fastest."""
    mesh_ids: tuple[int, ...] = attrs.field(default=(), eq=False)
    """The global ids of the devices of that mesh, in its order."""
    channel: int = attrs.field(default=0, eq=False)
    op_name: str = attrs.field(default="", eq=False)
    stack: Stack = attrs.field(default=(), eq=False)

    @property
    def is_barrier(self) -> bool:
        """Whether no participant leaves it before all have come."""
        return self.kind in _BARRIERS

    @property
    def is_point_to_point(self) -> bool:
        """Whether each device that receives waits for one that sends only."""
        return self.kind in _POINT_TO_POINT


@attrs.frozen(eq=False, repr=False)
class Collectives:
    """Columns of equal length, one row per execution of a collective on a device, sorted by (device, start_ps).

    ``op`` is a row of ``ops``, ``device`` and ``run`` are rows of the profile's devices and program runs (run -1 where
    unknown). ``occurrence`` counts the executions of the op in its run on its device. An execution reaches from the
    arrival of the device to its departure: of an asynchronous collective from the start of the op that begins it to
    the end of the one that waits for it, which begins at ``awaited_ps``; of others this is ``start_ps``. ``row`` is the
    execution that waits.

    ``group`` is by op and device the number of the group that the device is in, int32[ops, devices], ``size`` how many
    devices are in that group (0 where it is not known: all that took part), and ``source`` the global id of the device
    that sends to it (-1: none).
    """

    op: Int32
    device: Int32
    run: Int32
    occurrence: Int32
    start_ps: Int64
    awaited_ps: Int64
    end_ps: Int64
    row: Int64
    ops: tuple[CollectiveOp, ...]
    group: Int32
    size: Int32
    source: Int32

    def __len__(self) -> int:
        return len(self.op)


def collectives_of(executions: Executions, ids: Sequence[int]) -> Collectives:
    """The executions of collectives in a table of executions; ``ids`` are the global ids of its devices."""
    described = _Described(ids)
    known = {row: described.of(op) for row, op in enumerate(executions.ops) if work_of(op) is Work.COMMUNICATION}
    ops = tuple(dict.fromkeys(known.values()))
    number = {op: place for place, op in enumerate(ops)}
    op_of_row = np.full(len(executions.ops), -1, dtype=np.int32)
    for row, each in known.items():
        op_of_row[row] = number[each]
    rows = np.flatnonzero(op_of_row[executions.op] >= 0)
    start_ps, is_begun = executions.start_ps[rows], np.zeros(len(rows), dtype=np.bool_)
    end_ps = start_ps + executions.duration_ps[rows]
    awaited_ps = start_ps
    pairs = [pair for pair in async_pairs(executions.ops) if pair[0] in known and pair[1] in known]
    if pairs:
        start_ps, is_begun = _with_pairs(executions, pairs, rows, start_ps)
    kept = np.flatnonzero(~is_begun)
    order = kept[np.lexsort((start_ps[kept], executions.device[rows[kept]]))]
    rows = rows[order]
    op, device, run = op_of_row[executions.op[rows]], executions.device[rows], executions.run[rows]
    occurrence = _occurrences(op, device, run)
    places = [described.places[each] for each in ops]
    tables = np.array(places, dtype=np.int32).reshape(len(ops), 3, len(ids))
    # Kernels are compiled for columns that lie together.
    group, size, source = (np.ascontiguousarray(tables[:, place]) for place in range(3))
    times = (start_ps[order], awaited_ps[order], end_ps[order])
    return Collectives(op, device, run, occurrence, *times, rows, ops, group, size, source)


def _with_pairs(
    executions: Executions, pairs: Sequence[tuple[int, int]], rows: Int64, start_ps: Int64
) -> tuple[Int64, Bool]:
    """Where executions arrive, those that wait as early as what they wait for was begun, and which only begin one."""
    start_ps = start_ps.copy()
    is_begun = np.zeros(len(rows), dtype=np.bool_)
    for device in range(len(executions.devices)):
        begun, waiting = ended_by(executions, device, pairs)
        start_ps[np.searchsorted(rows, waiting)] = executions.start_ps[begun]
        is_begun[np.searchsorted(rows, begun)] = True
    return start_ps, is_begun


def _occurrences(op: Int32, device: Int32, run: Int32) -> Int32:
    """How many earlier executions each has of its op in its run on its device; rows of a device are in their order."""
    order = np.lexsort((np.arange(len(op)), op, run, device))
    differs = np.ones(len(op), dtype=np.bool_)
    differs[1:] = (np.diff(op[order]) != 0) | (np.diff(run[order]) != 0) | (np.diff(device[order]) != 0)
    first = np.maximum.accumulate(np.where(differs, np.arange(len(op)), 0))
    occurrence = np.empty(len(op), dtype=np.int32)
    occurrence[order] = np.arange(len(op)) - first
    return occurrence


class _Described:
    """Ops of executions as collectives, and by each the places of the devices in it."""

    def __init__(self, ids: Sequence[int]) -> None:
        self._ids = ids
        self.places: dict[CollectiveOp, tuple[Sequence[int], Sequence[int], Sequence[int]]] = {}
        self._known: dict[Groups, tuple[Sequence[int], Sequence[int]]] = {}

    def of(self, op: Op) -> CollectiveOp:
        """The collective that an op is, or begins, or ends."""
        module, instruction = op.module, op.instruction
        nowhere = [-1] * len(self._ids)
        if module is None or instruction is None:
            kind = next((each for each in COLLECTIVES if op.category.startswith(each)), op.category or "kernel")
            found = CollectiveOp(0, op.name, kind, op_name=op.op_name, stack=op.stack)
            self.places.setdefault(found, ([0] * len(self._ids), [0] * len(self._ids), nowhere))
            return found
        begins = _beginning(module, instruction)
        meant = _wrapped(module, begins)
        kind = meant.opcode.removesuffix("-start").removesuffix("-done")
        groups = meant.replica_groups
        found = CollectiveOp(
            program=signed(fingerprint_of(module)),
            name=begins.name,
            kind=kind,
            bytes=_bytes(meant),
            axes=groups.axes if groups is not None else (),
            mesh=tuple((axis.name, axis.size) for axis in groups.mesh) if groups is not None else (),
            mesh_ids=_mesh_ids(module, groups) if groups is not None else (),
            channel=meant.channel_id,
            op_name=begins.op_name,
            stack=begins.stack,
        )
        if found not in self.places:
            # Of a send and a receive with the same pairs it is the latter that waits.
            pairs = global_pairs(module, meant) if kind != "send" else ()
            source_of = {target: source for source, target in pairs}
            of_groups = self._placed(global_groups(module, meant))
            self.places[found] = (*of_groups, [source_of.get(each, -1) for each in self._ids])
        return found

    def _placed(self, groups: Groups) -> tuple[Sequence[int], Sequence[int]]:
        """By device its group, 0 where there are none, and how many are in it."""
        if groups not in self._known:
            of_id = {each: number for number, group in enumerate(groups) for each in group}
            place = [of_id.get(each, 0) for each in self._ids]
            sizes = [len(groups[of_id[each]]) if each in of_id else 0 for each in self._ids]
            self._known[groups] = (place, sizes)
        return self._known[groups]


def _beginning(module: HloModule, instruction: Instruction) -> Instruction:
    """What begins an asynchronous collective that an instruction updates or ends; else the instruction."""
    for _ in range(16):
        is_end = instruction.opcode.endswith(("-done", "-update")) and instruction.operands
        if not is_end:
            break
        instruction = module.instructions[instruction.operands[0]]
    return instruction


def _wrapped(module: HloModule, instruction: Instruction) -> Instruction:
    """The collective in a computation that runs asynchronously."""
    if instruction.opcode.startswith("async-") and instruction.called:
        return module.instructions[module.computations[instruction.called[0]].root]
    return instruction


def _mesh_ids(module: HloModule, groups: ReplicaGroups) -> tuple[int, ...]:
    """The mesh's devices by their ids in the job: a program counts its partitions."""
    if not groups.mesh:
        return ()
    numbers = groups.mesh_device_ids or range(math.prod(axis.size for axis in groups.mesh))
    ids = [each for partition in module.device_ids for each in partition]
    return tuple(ids[each] if each < len(ids) else each for each in numbers)


def _bytes(instruction: Instruction) -> int:
    shape: Shape = instruction.shape
    if instruction.opcode in _HEADED and len(shape.tuple_shapes) > 1:
        shape = shape.tuple_shapes[1]
    elif instruction.opcode in ("send", "recv") and shape.tuple_shapes:
        shape = shape.tuple_shapes[0]
    return byte_size(shape)


def sent_bytes(module: HloModule, instruction: Instruction) -> int | None:
    """Bytes that a device sends in an execution of a collective; of an asynchronous one in that which ends it.

    0 where an instruction only begins one, None where it is none, or its participants are not known.
    """
    begins = _beginning(module, instruction)
    meant = _wrapped(module, begins)
    kind = meant.opcode.removesuffix("-start").removesuffix("-done")
    if kind not in COLLECTIVES:
        return None
    if begins.opcode.endswith("-start") and not instruction.opcode.endswith("-done"):
        return 0
    if kind == "collective-permute":
        return _bytes(meant) if meant.source_target_pairs else None
    participants = max(map(len, global_groups(module, meant)), default=0)
    return link_bytes(kind, participants, _bytes(meant)) if participants else None


def link_bytes(kind: str, participants: int, result_bytes: int) -> int:
    """Bytes that one of so many participants sends over its link (`reference`: ring algorithms of NCCL's tests)."""
    if participants < 2:
        return 0
    others = participants - 1
    if kind == "all-reduce":
        return 2 * others * result_bytes // participants
    if kind in ("all-gather", "all-to-all", "ragged-all-to-all"):
        return others * result_bytes // participants
    return others * result_bytes if kind == "reduce-scatter" else result_bytes

"""Who of a program talks to each other in a collective, as it is written: its groups, or its pairs.

Files are hostile: what is impossible or enormous is unknown, and no array is made for it.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import attrs
import numpy as np

from scopelight.formats.hlo import hlo_pb2
from scopelight.legible import Legible

MOST_DEVICES: Final = 2**20
"""Groups of more devices than this are not read."""

MOST_DEVICES_OF_MODULE: Final = 2**22
"""Nor are groups that differ from all before them once those of a module have so many devices together."""

_MOST_AXES: Final = 32

FLAGGED: Final = frozenset(("all-reduce", "all-reduce-start", "all-gather", "all-gather-start", "reduce-scatter"))
"""Opcodes that say whether their ids are global."""

_GROUPED: Final = FLAGGED | {"all-to-all", "ragged-all-to-all", "collective-broadcast", "collective-reduce"}
_SENT: Final = frozenset(("send", "recv"))
_PAIRS_OF_SENT: Final = "_xla_send_recv_source_target_pairs"
_HANDLER: Final = "_xla_host_transfer_handler_name"
_BETWEEN_SLICES: Final = "xla_megascale_runtime"
_PAIR: Final = re.compile(r"\{\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\}")
_LONGEST_PAIRS: Final = 1 << 24
_PAIRED: Final = frozenset(("collective-permute", "collective-permute-start"))

Groups = tuple[tuple[int, ...], ...]
Pairs = tuple[tuple[int, int], ...]

# The generated classes carry no annotations for their submessages.
_Message = Any


@attrs.frozen(slots=True, repr=False)
class MeshAxis(Legible):
    """An axis of the mesh that a program was written for, such as ``data`` of 8 devices."""

    name: str
    size: int


@attrs.frozen(slots=True, repr=False)
class AxisPart(Legible):
    """An axis of a mesh by its place, whole, or a part of it.

    An axis of ``pre_size`` × ``size`` × the rest is cut into three; the part is the one in the middle.
    """

    axis: int
    pre_size: int = 1
    size: int | None = None
    """None for the whole axis."""


@attrs.frozen(slots=True, repr=False)
class ReplicaGroups(Legible):
    """The groups in which a collective's devices talk to each other, and the axes that they lie along if it says so."""

    groups: Groups = ()
    """By group the ids of its members, in the order of their parts of the data; no groups mean all devices in one."""
    axes: tuple[str, ...] = ()
    """Names of the mesh's axes along which each group lies; a part of an axis is named as XLA does, ``data:(1)2``."""
    mesh: tuple[MeshAxis, ...] = ()
    """All axes of the mesh where they are recorded, which jax does from 0.12 on."""
    mesh_device_ids: tuple[int, ...] = ()
    """The ids of the mesh's devices, last axis fastest; empty where they are numbered in that order."""


def explicit(groups: Sequence[Sequence[int]]) -> ReplicaGroups | None:
    """Groups given as lists; None for lists that no collective has."""
    if not groups:
        return ReplicaGroups()
    if len(groups) > MOST_DEVICES or not all(groups) or sum(map(len, groups)) > MOST_DEVICES:
        return None
    found = tuple(map(tuple, groups))
    return ReplicaGroups(found) if _are_ids([each for group in found for each in group]) else None


def of_iota(count: int, size: int, dims: Sequence[int], perm: Sequence[int] = ()) -> ReplicaGroups | None:
    """``[count,size]<=[dims]T(perm)``: ids from 0 on as an array of ``dims``, transposed, cut into ``count`` groups."""
    ids = _iota(dims, perm)
    if ids is None or min(count, size) < 1 or count * size != ids.size:
        return None
    return ReplicaGroups(_rows(ids, size))


def of_mesh(
    mesh: Sequence[MeshAxis], parts: Sequence[AxisPart], device_ids: Sequence[int] = ()
) -> ReplicaGroups | None:
    """Groups along axes of a mesh: devices that differ in the ``parts`` alone, first part slowest.

    Without ``device_ids`` the devices are numbered in the order of the mesh.
    """
    sizes = [each.size for each in mesh]
    devices = _count(sizes)
    if not mesh or devices is None or len(parts) > _MOST_AXES or len({each.name for each in mesh}) < len(mesh):
        return None
    if device_ids and (len(device_ids) != devices or not _are_ids(device_ids)):
        return None
    if not all(0 <= each.axis < len(mesh) for each in parts):
        return None
    dims: list[int] = []
    places: dict[int, int] = {}
    for axis, size in enumerate(sizes):
        if not _cut(size, [(row, each) for row, each in enumerate(parts) if each.axis == axis], dims, places):
            return None
    if len(dims) > _MOST_AXES:
        return None
    chosen = [places[row] for row in range(len(parts))]
    order = [each for each in range(len(dims)) if each not in chosen] + chosen
    ids = np.array(device_ids, np.int64) if device_ids else np.arange(devices)
    return ReplicaGroups(
        groups=_rows(ids.reshape(dims).transpose(order), math.prod(dims[each] for each in chosen)),
        axes=tuple(_part_name(mesh[each.axis].name, each) for each in parts),
        mesh=tuple(mesh),
        mesh_device_ids=tuple(device_ids),
    )


def replica_groups_of(proto: _Message) -> ReplicaGroups | None:
    """The groups of an instruction's message, in whichever form it has them.

    None for an instruction that has none, and where they are impossible.
    """
    if proto.opcode not in _GROUPED:
        return None
    form, message = _recorded(proto)
    return _READERS[form](message)


def source_target_pairs_of(proto: _Message) -> Pairs:
    """Of a collective-permute, who sends to whom; none where one device would send or receive twice.

    A permute that became a send and a receive has its pairs in an attribute of these.
    """
    if proto.opcode in _SENT:
        told = proto.frontend_attributes.map.get(_PAIRS_OF_SENT, "")[:_LONGEST_PAIRS]
        pairs = tuple((int(source), int(target)) for source, target in _PAIR.findall(told))
    elif proto.opcode not in _PAIRED or len(proto.source_target_pairs) > MOST_DEVICES:
        return ()
    else:
        pairs = tuple((each.source, each.target) for each in proto.source_target_pairs)
    return pairs if all(_are_ids(ids) for ids in zip(*pairs, strict=True)) else ()


def crosses_slices(proto: _Message) -> bool:
    """Whether a send or a receive exchanges data with another slice, over the network between them."""
    return proto.opcode in _SENT and proto.frontend_attributes.map.get(_HANDLER, "") == _BETWEEN_SLICES


class KnownGroups:
    """The groups of a module's instructions, one object for all that are equal."""

    def __init__(self) -> None:
        self._by_bytes: dict[tuple[str, bytes], ReplicaGroups | None] = {}
        self._by_value: dict[ReplicaGroups, ReplicaGroups] = {}
        self._devices = 0

    def of(self, proto: _Message) -> ReplicaGroups | None:
        """What `replica_groups_of` says; None as well where the module has groups beyond all measure."""
        if proto.opcode not in _GROUPED:
            return None
        form, message = _recorded(proto)
        key = (form, message.SerializeToString(deterministic=True))
        if key not in self._by_bytes:
            self._by_bytes[key] = self._read(form, message) if self._devices < MOST_DEVICES_OF_MODULE else None
        return self._by_bytes[key]

    def _read(self, form: str, message: _Message) -> ReplicaGroups | None:
        found = _READERS[form](message)
        if found is None:
            return None
        known = self._by_value.setdefault(found, found)
        if known is found:
            self._devices += sum(map(len, found.groups)) + len(found.mesh_device_ids)
        return known


def device_ids_of(module: _Message) -> Groups:
    """By partition the id of the device that runs each of its replicas, of a module's message; empty where unknown."""
    assignment = module.device_assignment
    partitions = assignment.computation_devices
    replicas = assignment.replica_count
    if not partitions or len(partitions) != assignment.computation_count:
        return ()
    if any(len(each.replica_device_ids) != replicas for each in partitions):
        return ()
    found = tuple(tuple(each.replica_device_ids) for each in partitions)
    return found if replicas > 0 and _are_ids([each for partition in found for each in partition]) else ()


def _recorded(proto: _Message) -> tuple[str, _Message]:
    form = proto.WhichOneof("replica_group_list")
    if form is not None and (form != "collective_device_list" or proto.collective_device_list.ByteSize()):
        return form, getattr(proto, form)
    return "collective_device_list", hlo_pb2.CollectiveDeviceListProto(replica_groups=proto.replica_groups)


def _read_list(proto: _Message) -> ReplicaGroups | None:
    if proto.HasField("iota_replica_group_list"):
        return _read_iota(proto.iota_replica_group_list)
    return explicit([each.replica_ids for each in proto.replica_groups])


def _read_iota(proto: _Message) -> ReplicaGroups | None:
    count, size = proto.num_replica_groups, proto.num_devices_per_group
    return of_iota(count, size, proto.iota_reshape_dims, proto.iota_transpose_perm)


def _read_mesh(proto: _Message) -> ReplicaGroups | None:
    mesh = proto.mesh
    if max(len(mesh.axes), len(proto.axes)) > _MOST_AXES or len(mesh.device_ids) > MOST_DEVICES:
        return None
    device_ids = tuple(mesh.device_ids)
    if not device_ids and mesh.HasField("iota_transform"):
        ids = _iota(mesh.iota_transform.reshape_dims, mesh.iota_transform.transpose_perm)
        if ids is None:
            return None
        device_ids = tuple(ids.ravel().tolist())
    return of_mesh([MeshAxis(each.name, each.size) for each in mesh.axes], [*map(_axis_part, proto.axes)], device_ids)


_READERS: Final[Mapping[str, Callable[[_Message], ReplicaGroups | None]]] = {
    "collective_device_list": _read_list,
    "iota_collective_device_list": _read_iota,
    "mesh_axes_replica_group_list": _read_mesh,
}


def _axis_part(proto: _Message) -> AxisPart:
    if not proto.HasField("sub_axis_info"):
        return AxisPart(proto.mesh_axis_index)
    return AxisPart(proto.mesh_axis_index, proto.sub_axis_info.pre_size, proto.sub_axis_info.size)


def _part_name(name: str, part: AxisPart) -> str:
    return name if part.size is None else f"{name}:({part.pre_size}){part.size}"


def _cut(axis: int, parts: Iterable[tuple[int, AxisPart]], dims: list[int], places: dict[int, int]) -> bool:
    """Append to ``dims`` an axis cut at its parts, and tell in ``places`` where each is; whether they fit it."""
    before = 1
    for row, part in sorted(parts, key=lambda each: each[1].pre_size):
        size = axis if part.size is None else part.size
        if min(size, part.pre_size) < 1 or part.pre_size % before:
            return False
        places[row] = len(dims) + 1
        dims += (part.pre_size // before, size)
        before = part.pre_size * size
    dims.append(axis // before)
    return axis % before == 0


def _count(sizes: Sequence[int]) -> int | None:
    """The devices in an array of these sizes; None where it cannot be, or is too large."""
    if len(sizes) > _MOST_AXES or not all(0 < each <= MOST_DEVICES for each in sizes):
        return None
    devices = math.prod(sizes)
    return devices if devices <= MOST_DEVICES else None


def _iota(dims: Sequence[int], perm: Sequence[int]) -> "np.ndarray[Any, np.dtype[np.int64]] | None":
    devices = _count(dims)
    if not dims or devices is None or (perm and (len(perm) != len(dims) or sorted(perm) != [*range(len(dims))])):
        return None
    return np.arange(devices, dtype=np.int64).reshape(tuple(dims)).transpose(tuple(perm) or range(len(dims)))


def _rows(ids: "np.ndarray[Any, np.dtype[np.int64]]", size: int) -> Groups:
    return tuple(map(tuple, ids.reshape(-1, size).tolist()))


def _are_ids(ids: Sequence[int]) -> bool:
    return min(ids, default=0) >= 0 and len(set(ids)) == len(ids)

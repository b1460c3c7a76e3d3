"""Topology: where the cores of a job are, by their chips, by the mesh of the program, or by their hosts."""

import math
from collections.abc import Sequence

import numpy as np

from scopelight.analysis.hosts.records import Layout, LayoutCell, LayoutKind
from scopelight.analysis.hosts.summary import SummarisedDevice, Summary
from scopelight.model.run.information import RecordedDevice

_CUBES = ("v4", "v5p")
"""Kinds of TPU whose chips are wired in three dimensions."""
_TILE = 4
"""Chips of a host that lie in a square: with the least number a, also a + 1, a + X, a + X + 1."""

Place = tuple[int, int, int]


def layouts(summary: Summary, recorded: Sequence[RecordedDevice] = ()) -> tuple[Layout, ...]:
    """Every way to draw the cores of a summary that what is known of them allows, the best one first.

    ``recorded`` are the devices of ``run.json``, whose coordinates count before those that are told from numbers.
    """
    found = (_by_recorded(summary, recorded) or _by_chips(summary), _by_mesh(summary), _by_hosts(summary))
    return tuple(each for each in found if each is not None)


def _by_recorded(summary: Summary, recorded: Sequence[RecordedDevice]) -> Layout | None:
    known = {each.id: each for each in recorded if each.coords}
    devices = [known.get(str(each.id)) for each in summary.devices]
    places: list[tuple[Place, int]] = []
    for each in devices:
        if each is None or not each.coords or any(axis < 0 for axis in each.coords):
            return None
        x, y, z = (*each.coords, 0, 0)[:3]
        places.append(((x, y, z), each.core_on_chip or 0))
    slices = [each.slice_index or 0 for each in devices if each is not None]
    # Slices lie side by side, as planes.
    depth = 1 + max((place[2] for place, _ in places), default=0)
    moved = [((x, y, z + depth * number), slot) for ((x, y, z), slot), number in zip(places, slices, strict=True)]
    return _layout("chips", moved, ("x", "y", "z"), is_recorded=True) if moved else None


def _by_chips(summary: Summary) -> Layout | None:
    cores = [each.core for each in summary.devices if each.core is not None]
    if not cores or len(cores) < len(summary.devices):
        return None
    of_hosts: dict[int, set[int]] = {}
    for device, core in zip(summary.devices, cores, strict=True):
        of_hosts.setdefault(device.host, set()).add(core.chip)
    width = chips_in_a_row(list(of_hosts.values()))
    chips = 1 + max(core.chip for core in cores)
    height = -(-chips // width)
    if _is_cube(summary.devices) and height % width == 0:
        height = width
    places = [((c.chip % width, c.chip // width % height, c.chip // (width * height)), c.core) for c in cores]
    return _layout("chips", places, ("x", "y", "z"))


def chips_in_a_row(of_hosts: Sequence[set[int]]) -> int:
    """How many chips are in a row, by the numbers of those of a host, which lie in a square; else as square as can be.

    Chips are numbered row by row: {0, 1, 4, 5} are of a grid that is 4 wide, {4, 5, 6, 7} of one of 2.
    """
    for chips in of_hosts:
        first = sorted(chips)[:_TILE]
        if len(first) == _TILE and first[1] == first[0] + 1 and first[3] == first[2] + 1:
            return first[2] - first[0]
    count = 1 + max((chip for chips in of_hosts for chip in chips), default=0)
    return max(1, math.isqrt(count))


def _is_cube(devices: Sequence[SummarisedDevice]) -> bool:
    return any(kind in device.model.lower().split() for device in devices[:1] for kind in _CUBES)


def _by_mesh(summary: Summary) -> Layout | None:
    return _by_named_mesh(summary) or _by_groups(summary)


def _by_named_mesh(summary: Summary) -> Layout | None:
    """By the axes of the greatest mesh that collectives name; the first two that are longer than 1 are the rows and
    columns, further ones are planes."""
    ops = summary.collectives.ops
    meshes = {(each.mesh, each.mesh_ids) for each in ops if each.mesh}
    for mesh, ids in sorted(meshes, key=lambda each: (-len(each[1]), each)):
        place_of = {number: place for place, number in enumerate(ids)}
        places = [place_of.get(each.id) for each in summary.devices]
        axes = [(row, name, size) for row, (name, size) in enumerate(mesh) if size > 1]
        if None in places or not axes:
            continue
        sizes = [size for _, size in mesh]
        coordinates = np.array(np.unravel_index([place or 0 for place in places], sizes))
        rows, columns = axes[0][0], axes[1][0] if len(axes) > 1 else None
        others = [row for row, _, _ in axes[2:]]
        x = coordinates[columns] if columns is not None else np.zeros(len(places), dtype=np.int64)
        z = np.zeros(len(places), dtype=np.int64)
        for row in others:
            z = z * sizes[row] + coordinates[row]
        names = (
            axes[1][1] if len(axes) > 1 else "",
            axes[0][1],
            " × ".join(name for _, name, _ in axes[2:]),
        )
        cells = [((int(a), int(b), int(c)), 0) for a, b, c in zip(x, coordinates[rows], z, strict=True)]
        return _layout("mesh", cells, names, is_recorded=True)
    return None


def _by_groups(summary: Summary) -> Layout | None:
    """By the groups of collectives where axes have no names: each way to divide the devices is an axis."""
    ops = summary.collectives
    devices = len(summary.devices)
    partitions: dict[tuple[int, ...], None] = {}
    for row, op in enumerate(ops.ops):
        groups = ops.group[row]
        is_known = bool(np.all(ops.size[row] > 1))
        if op.is_point_to_point or not is_known or len(set(groups.tolist())) < 2:
            continue
        partitions.setdefault(tuple(np.unique(groups, return_inverse=True)[1].tolist()))
    chosen: list[tuple[int, ...]] = []
    for partition in partitions:
        apart = len(set(zip(*chosen, strict=True))) if chosen else 1
        if len(set(zip(*chosen, partition, strict=True))) > apart and len(chosen) < 3:
            chosen.append(partition)
    cells = list(zip(*chosen, strict=True))
    if not chosen or len(set(cells)) < devices:
        return None
    # The partition along one axis numbers the places on the others: groups of neighbours are the rows.
    places = [(*cell, 0, 0)[:3] for cell in cells]
    return _layout("mesh", [((x, y, z), 0) for y, x, z in places], ("", "", ""))


def _by_hosts(summary: Summary) -> Layout | None:
    devices = summary.devices
    places: list[tuple[Place, int]] = [((0, 0, 0), 0)] * len(devices)
    columns: dict[int, int] = {}
    # The sparse cores of a chip have its number too.
    for row in sorted(
        range(len(devices)), key=lambda row: (devices[row].host, devices[row].ordinal, devices[row].name)
    ):
        host = devices[row].host
        places[row] = ((columns.get(host, 0), host, 0), 0)
        columns[host] = columns.get(host, 0) + 1
    return _layout("hosts", places, ("device", "host", "")) if places else None


def _layout(
    kind: LayoutKind, places: Sequence[tuple[Place, int]], names: Sequence[str], *, is_recorded: bool = False
) -> Layout | None:
    """The layout of cores at places; None where two are at one."""
    if len(set(places)) < len(places):
        return None
    x, y, z = (1 + max(place[axis] for place, _ in places) for axis in range(3))
    cells = tuple(LayoutCell(core, *place, slot) for core, (place, slot) in enumerate(places))
    slots = 1 + max(slot for _, slot in places)
    return Layout(kind, x, y, z, slots, names[0], names[1], names[2], cells, is_recorded)

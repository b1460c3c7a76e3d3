"""Where cores are drawn: by recorded coordinates, by the numbers of chips, by the mesh of the program, by hosts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.hosts.breakdown import PARTS
from scopelight.analysis.hosts.summary import (
    CoreColumns,
    StepColumns,
    SummarisedDevice,
    SummarisedHost,
    Summary,
    WorkColumns,
)
from scopelight.analysis.hosts.topology import chips_in_a_row, layouts
from scopelight.model.executions import ChipCore
from scopelight.model.rendezvous.collectives import CollectiveOp, Collectives
from scopelight.model.rendezvous.runs import RunColumns
from scopelight.model.run.information import RecordedDevice

NONE, NONE32 = np.zeros(0, np.int64), np.zeros(0, np.int32)
V3_HOSTS = ((0, 1, 4, 5), (2, 3, 6, 7), (8, 9, 12, 13), (10, 11, 14, 15))


def summary(devices, *, ops=(), group=(), size=(), source=None, model="TPU v5 lite"):
    """Devices as (host, id, chip, core), the last two None where they are not known; ``group`` and so on by op."""
    shape = (len(ops), len(devices))
    tables = (np.array(each, np.int32).reshape(shape) for each in (group, size))
    sources = np.full(shape, -1, np.int32) if source is None else np.array(source, np.int32).reshape(shape)
    collectives = Collectives(NONE32, NONE32, NONE32, NONE32, NONE, NONE, NONE, NONE, tuple(ops), *tables, sources)
    hosts = 1 + max(host for host, *_ in devices)
    seen = dict.fromkeys(range(hosts), 0)
    made = []
    for host, identity, chip, core in devices:
        known = None if chip is None else ChipCore(core, chip % 4, chip)
        made.append(SummarisedDevice(host, f"/device:TPU:{seen[host]}", "tpu", seen[host], identity, known, model))
        seen[host] += 1
    return Summary(
        hosts=tuple(SummarisedHost(f"host{each}") for each in range(hosts)),
        devices=tuple(made),
        program_names={},
        collectives=collectives,
        runs=RunColumns(NONE, NONE32, NONE.astype(np.uint64), NONE, NONE, NONE),
        steps=StepColumns(NONE32, NONE, NONE, NONE, NONE),
        cores=CoreColumns(NONE32, NONE, np.zeros((0, len(PARTS)), np.int64), NONE, NONE, NONE),
        work=WorkColumns(NONE32, NONE32, NONE, ()),
    )


def chips_of(hosts, cores=1):
    """Devices of chips, by the numbers of those of each host."""
    return [
        (host, chip * cores + core, chip, core)
        for host, chips in enumerate(hosts)
        for chip in chips
        for core in range(cores)
    ]


def cells(layout):
    return [(each.x, each.y, each.z) for each in layout.cells]


def kinds(found):
    return [each.kind for each in found]


@pytest.mark.parametrize(
    ("hosts", "width"),
    [
        (V3_HOSTS, 4),
        (((4, 5, 6, 7),), 2),
        (((0, 1, 2, 3), (4, 5, 6, 7)), 2),
        (((0, 1, 16, 17), (2, 3, 18, 19)), 16),
        (((0,), (1, 2, 17, 18)), 16),
    ],
)
def test_the_numbers_of_a_host_s_chips_say_how_many_are_in_a_row(hosts, width):
    assert chips_in_a_row([set(each) for each in hosts]) == width


def test_chips_that_are_no_square_of_a_host_are_drawn_as_square_as_can_be():
    assert chips_in_a_row([{0}, {1}, {15}]) == 4
    assert chips_in_a_row([{0, 1}]) == 1
    assert chips_in_a_row([set()]) >= 1


def test_a_pod_of_v3_is_four_by_four_chips_of_two_cores():
    found = layouts(summary(chips_of(V3_HOSTS, cores=2)))
    assert kinds(found) == ["chips", "hosts"]
    chips = found[0]
    assert (chips.columns, chips.rows, chips.planes, chips.slots) == (4, 4, 1, 2)
    assert not chips.is_recorded
    by_host = cells(chips)
    # The second host has the upper right quarter; the cores of a chip lie at one place.
    assert by_host[8:16] == [(2, 0, 0)] * 2 + [(3, 0, 0)] * 2 + [(2, 1, 0)] * 2 + [(3, 1, 0)] * 2
    assert [each.slot for each in chips.cells] == [0, 1] * 16
    assert len(set(by_host)) == 16


def test_the_second_host_of_a_slice_has_its_lower_half():
    assert cells(layouts(summary(chips_of([(4, 5, 6, 7)])))[0]) == [(0, 2, 0), (1, 2, 0), (0, 3, 0), (1, 3, 0)]


def test_the_chips_of_cubes_have_planes():
    hosts = [tuple(corner + each for each in (0, 1, 4, 5)) for z in range(4) for corner in (0, 2, 8, 10)]
    hosts = [tuple(chip + 16 * (row // 4) for chip in chips) for row, chips in enumerate(hosts)]
    cube = layouts(summary(chips_of(hosts), model="TPU v4"))[0]
    assert (cube.columns, cube.rows, cube.planes) == (4, 4, 4)
    flat = layouts(summary(chips_of(hosts), model="TPU v5 lite"))[0]
    assert (flat.columns, flat.rows, flat.planes) == (4, 16, 1)


def recorded(coordinates, *, core_on_chip=None, slices=None):
    return [
        RecordedDevice(
            id=str(row),
            coords=coords,
            core_on_chip=core_on_chip[row] if core_on_chip else None,
            slice_index=slices[row] if slices else None,
        )
        for row, coords in enumerate(coordinates)
    ]


def test_recorded_coordinates_count_before_those_told_from_numbers():
    devices = [(0, each, each, 0) for each in range(4)]
    coordinates = [(1, 1, 0), (0, 1, 0), (1, 0, 0), (0, 0, 0)]
    found = layouts(summary(devices), recorded(coordinates))
    assert found[0].kind == "chips"
    assert found[0].is_recorded
    assert cells(found[0]) == coordinates


def test_several_slices_lie_side_by_side():
    devices = [(each // 4, each, None, None) for each in range(8)]
    square = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    found = layouts(summary(devices), recorded(square * 2, slices=[0] * 4 + [1] * 4))[0]
    assert found.planes == 2
    assert [each.z for each in found.cells] == [0] * 4 + [1] * 4
    assert found.is_recorded


def test_the_cores_of_a_recorded_chip_have_one_place():
    devices = [(0, each, None, None) for each in range(4)]
    found = layouts(summary(devices), recorded([(0, 0, 0)] * 2 + [(1, 0, 0)] * 2, core_on_chip=[0, 1, 0, 1]))[0]
    assert found.slots == 2
    assert cells(found) == [(0, 0, 0)] * 2 + [(1, 0, 0)] * 2


@pytest.mark.parametrize(
    "coordinates",
    [[(0, 0, 0)], [(0, 0, 0), (0, 0, 0)], [(0, 0, 0), (-1, 0, 0)], [(0, 0, 0), None]],
    ids=["one is missing", "two are at one place", "negative", "one is not known"],
)
def test_what_was_recorded_of_some_or_cannot_be_is_not_drawn(coordinates):
    assert kinds(layouts(summary([(0, 0, None, None), (0, 1, None, None)]), recorded(coordinates))) == ["hosts"]


def test_a_named_mesh_has_its_first_axes_as_rows_and_columns():
    mesh = (("data", 2), ("model", 4))
    op = CollectiveOp(1, "all-reduce.1", "all-reduce", 8, ("data",), mesh, tuple(range(8)))
    # Device 5 is the second of data and of model.
    devices = [(each // 4, each, None, None) for each in range(8)]
    found = layouts(summary(devices, ops=[op], group=[0] * 8, size=[8] * 8))
    assert kinds(found) == ["mesh", "hosts"]
    assert (found[0].x_name, found[0].y_name) == ("model", "data")
    assert (found[0].columns, found[0].rows, found[0].planes) == (4, 2, 1)
    assert cells(found[0])[5] == (1, 1, 0)


def test_further_axes_of_a_mesh_are_planes_and_those_of_one_are_none():
    mesh = (("stage", 1), ("data", 2), ("tensor", 2), ("expert", 2))
    ids = (7, 6, 5, 4, 3, 2, 1, 0)
    op = CollectiveOp(1, "all-reduce.1", "all-reduce", 8, ("data",), mesh, ids)
    small = CollectiveOp(1, "all-gather.2", "all-gather", 8, ("x",), (("x", 2),), (0, 1))
    devices = [(0, each, None, None) for each in range(8)]
    found = layouts(summary(devices, ops=[small, op], group=[0] * 16, size=[8] * 16))[0]
    assert (found.x_name, found.y_name, found.z_name) == ("tensor", "data", "expert")
    # Device 7 is the mesh's first.
    assert cells(found)[7] == (0, 0, 0)
    assert cells(found)[0] == (1, 1, 1)
    assert cells(found)[6] == (0, 0, 1)


def test_each_way_to_divide_the_devices_is_an_axis_where_axes_have_no_names():
    ops = [CollectiveOp(1, f"all-reduce.{row}", "all-reduce", 8) for row in range(3)]
    groups = [[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0, 0, 0, 0, 0, 0]]
    sizes = [[3] * 6, [2] * 6, [6] * 6]
    devices = [(each // 3, each, None, None) for each in range(6)]
    found = layouts(summary(devices, ops=ops, group=groups, size=sizes))
    assert kinds(found) == ["mesh", "hosts"]
    assert (found[0].columns, found[0].rows) == (3, 2)
    assert len(set(cells(found[0]))) == 6
    # Groups of neighbours are rows.
    assert [each.y for each in found[0].cells] == [0, 0, 0, 1, 1, 1]


def test_groups_that_leave_devices_at_one_place_are_no_mesh():
    op = CollectiveOp(1, "all-reduce.1", "all-reduce", 8)
    devices = [(0, each, None, None) for each in range(4)]
    assert kinds(layouts(summary(devices, ops=[op], group=[0, 0, 1, 1], size=[2] * 4))) == ["hosts"]


def test_without_anything_known_hosts_are_rows():
    found = layouts(summary([(0, -1, None, None), (0, -2, None, None), (1, -3, None, None)]))
    assert kinds(found) == ["hosts"]
    assert cells(found[0]) == [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    assert (found[0].x_name, found[0].y_name) == ("device", "host")


@given(
    st.lists(st.tuples(st.integers(0, 5), st.none() | st.integers(0, 40), st.integers(0, 1)), min_size=1, max_size=12)
)
def test_no_two_cores_share_a_cell_in_any_layout(devices):
    given_devices = [
        (host, row, chip, core if chip is not None else None) for row, (host, chip, core) in enumerate(devices)
    ]
    for layout in layouts(summary(given_devices)):
        places = [(each.x, each.y, each.z, each.slot) for each in layout.cells]
        assert len(set(places)) == len(places) == len(devices)
        assert [each.core for each in layout.cells] == list(range(len(devices)))
        for each in layout.cells:
            assert 0 <= each.x < layout.columns
            assert 0 <= each.y < layout.rows
            assert 0 <= each.z < layout.planes
            assert 0 <= each.slot < layout.slots

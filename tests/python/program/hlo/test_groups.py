import functools
import os
import subprocess
import sys
from pathlib import Path

import attrs
import numpy as np
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.device_groups import global_groups, global_pairs
from scopelight.program.hlo.groups import (
    MOST_DEVICES,
    MOST_DEVICES_OF_MODULE,
    AxisPart,
    KnownGroups,
    MeshAxis,
    ReplicaGroups,
    explicit,
    of_iota,
    of_mesh,
    replica_groups_of,
)

NEWEST = Path(__file__).parents[4] / ".venv-jax-newest/bin/python"

PROGRAM = """
import sys
import jax, numpy as np
from jax.sharding import Mesh, PartitionSpec as P
axes = ("data", "model")
# The first device of the program is number 4.
mesh = Mesh(np.array(jax.devices()).reshape(2, 4)[::-1], axes)

def talk(x):
    ring = [(i, (i + 1) % 4) for i in range(4)]
    return (jax.lax.psum(x, "data"), jax.lax.psum(x * 2, ("model", "data")), jax.lax.all_gather(x * 3, "model"),
            jax.lax.ppermute(x * 4, "model", ring), jax.lax.all_to_all(x * 5, "model", 0, 0, tiled=True))

apart = P("data", "model")
outs = (P(None, "model"), P(), P(None, *axes), apart, apart)
sharded = jax.shard_map(talk, mesh=mesh, in_specs=apart, out_specs=outs, check_vma=False)
compiled = jax.jit(sharded).lower(np.ones((16, 16), np.float32)).compile()
open(sys.argv[1] + "/program.txt", "w").write(compiled.as_text())
serialized = compiled.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto()
open(sys.argv[1] + "/program.pb", "wb").write(serialized)
"""


@functools.cache
def compiled(python, folder):
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu"}
    subprocess.run([python, "-c", PROGRAM, folder], env=os.environ | flags, check=True, timeout=300)
    message = hlo_pb2.HloModuleProto.FromString(Path(folder, "program.pb").read_bytes())
    text = parse_hlo_text(Path(folder, "program.txt").read_text(), where="text")
    return build_module(hlo_pb2.HloProto(hlo_module=message), "1"), build_module(text, "1")


@pytest.fixture(scope="module", params=["this jax", "newest jax"])
def programs(request, tmp_path_factory):
    """The module as its message and its text say, and whether it names the mesh."""
    is_newest = request.param == "newest jax"
    if is_newest and not NEWEST.exists():
        pytest.skip("`make test-jax-newest` makes its environment")
    folder = str(tmp_path_factory.mktemp("program"))
    return *compiled(str(NEWEST) if is_newest else sys.executable, folder), is_newest


def by_opcode(module, opcode):
    return [each for each in module.instructions if each.opcode == opcode]


DEVICES = np.arange(8).reshape(2, 4)[::-1]


def lines(array):
    return tuple(map(tuple, array.tolist()))


def test_groups_of_a_compiled_program_lie_along_the_axes_of_its_mesh(programs):
    module, _, names_mesh = programs
    assert (module.device_count, module.partition_count) == (8, 8)
    assert module.device_ids == tuple((each,) for each in DEVICES.ravel().tolist())
    found = {each.op_name.rsplit("/", 1)[-1]: each for each in module.instructions if each.replica_groups}
    along_model = found["all_gather"]
    assert along_model.replica_groups.groups == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert along_model.uses_global_device_ids
    assert global_groups(module, along_model) == lines(DEVICES)
    assert global_groups(module, found["all_to_all"]) == lines(DEVICES)
    sums = sorted(by_opcode(module, "all-reduce"), key=lambda each: len(each.replica_groups.groups))
    assert [global_groups(module, each) for each in sums] == [(tuple(DEVICES.T.ravel().tolist()),), lines(DEVICES.T)]
    if names_mesh:
        assert [each.replica_groups.axes for each in sums] == [("model", "data"), ("data",)]
        assert along_model.replica_groups.mesh == (MeshAxis("data", 2), MeshAxis("model", 4))
        assert along_model.replica_groups.mesh_device_ids == ()
    else:
        assert along_model.replica_groups.axes == along_model.replica_groups.mesh == ()


def test_pairs_of_a_compiled_program_are_neighbours_along_the_axis(programs):
    module, _, _ = programs
    (permute,) = by_opcode(module, "collective-permute")
    assert permute.replica_groups is None
    assert permute.channel_id > 0
    expected = {(int(row[i]), int(row[(i + 1) % 4])) for row in DEVICES for i in range(4)}
    assert set(global_pairs(module, permute)) == expected


def test_text_and_message_of_a_compiled_program_agree(programs):
    module, read, _ = programs
    assert (read.device_count, read.partition_count, read.device_ids) == (8, 8, ())
    for each in module.instructions:
        other = read.by_name[each.name]
        assert other.replica_groups == each.replica_groups
        assert other.source_target_pairs == each.source_target_pairs
        assert (other.channel_id, other.uses_global_device_ids) == (each.channel_id, each.uses_global_device_ids)


def test_equal_groups_of_a_module_are_one_object(programs):
    module, _, _ = programs
    (gather,), (exchange,) = by_opcode(module, "all-gather"), by_opcode(module, "all-to-all")
    assert gather.replica_groups is exchange.replica_groups


# Wire forms


def collective(opcode="all-reduce", **fields):
    return hlo_pb2.HloInstructionProto(opcode=opcode, **fields)


LISTS = [{"replica_ids": [0, 2]}, {"replica_ids": [1, 3]}]
IOTA = {"num_replica_groups": 2, "num_devices_per_group": 2, "iota_reshape_dims": [2, 2], "iota_transpose_perm": [1, 0]}
AXES = [{"name": "a", "size": 2}, {"name": "b", "size": 2}]
FORMS = {
    "old lists": {"replica_groups": LISTS},
    "lists": {"collective_device_list": {"replica_groups": LISTS}},
    "iota in lists": {"collective_device_list": {"iota_replica_group_list": IOTA}},
    "iota": {"iota_collective_device_list": IOTA},
    "mesh": {"mesh_axes_replica_group_list": {"mesh": {"axes": AXES}, "axes": [{"mesh_axis_index": 0}]}},
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_groups_is_read(form):
    assert replica_groups_of(collective(**FORMS[form])).groups == ((0, 2), (1, 3))
    assert replica_groups_of(collective("add", **FORMS[form])) is None


def test_no_groups_mean_all_devices():
    assert replica_groups_of(collective()) == ReplicaGroups()
    assert replica_groups_of(collective(collective_device_list={})) == ReplicaGroups()


def test_groups_in_several_forms_are_one_object_where_they_are_equal():
    known = KnownGroups()
    first = known.of(collective(**FORMS["lists"]))
    assert all(known.of(collective("all-gather", **FORMS[form])) is first for form in FORMS if form != "mesh")
    assert known.of(collective(**FORMS["mesh"])) is not first


def test_devices_of_a_mesh_are_numbered_as_it_says():
    mesh = (MeshAxis("a", 2), MeshAxis("b", 4))
    backwards = tuple(range(7, -1, -1))
    assert of_mesh(mesh, [AxisPart(0)], backwards) == ReplicaGroups(
        groups=((7, 3), (6, 2), (5, 1), (4, 0)), axes=("a",), mesh=mesh, mesh_device_ids=backwards
    )
    transposed = {"reshape_dims": [4, 2], "transpose_perm": [1, 0]}
    axes = [{"name": "a", "size": 2}, {"name": "b", "size": 4}]
    proto = {"mesh": {"axes": axes, "iota_transform": transposed}, "axes": [{"mesh_axis_index": 1}]}
    found = replica_groups_of(collective(mesh_axes_replica_group_list=proto))
    assert found.groups == ((0, 2, 4, 6), (1, 3, 5, 7))
    assert found.mesh_device_ids == (0, 2, 4, 6, 1, 3, 5, 7)


def test_parts_of_an_axis_make_groups():
    mesh = [MeshAxis("a", 8), MeshAxis("b", 2)]
    array = np.arange(16).reshape(2, 2, 2, 2)
    middle = of_mesh(mesh, [AxisPart(0, 2, 2)])
    assert middle.axes == ("a:(2)2",)
    assert middle.groups == lines(array.transpose(0, 2, 3, 1).reshape(-1, 2))
    outer_last = of_mesh(mesh, [AxisPart(1), AxisPart(0, 4, 2), AxisPart(0, 1, 2)])
    assert outer_last.groups == lines(array.transpose(1, 3, 2, 0).reshape(-1, 8))
    assert of_mesh(mesh, []).groups == tuple((each,) for each in range(16))


@given(st.data())
def test_short_groups_are_what_numpy_makes_of_them(data):
    dims = data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    perm = data.draw(st.permutations(range(len(dims))))
    devices = int(np.prod(dims))
    size = data.draw(st.sampled_from([each for each in range(1, devices + 1) if devices % each == 0]))
    ids = np.arange(devices).reshape(dims).transpose(perm)
    assert of_iota(devices // size, size, dims, perm).groups == lines(ids.reshape(-1, size))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_groups_along_axes_hold_devices_that_agree_on_the_others(sizes, data):
    chosen = data.draw(st.lists(st.integers(0, len(sizes) - 1), unique=True))
    found = of_mesh([MeshAxis(f"x{i}", size) for i, size in enumerate(sizes)], [AxisPart(each) for each in chosen])
    assert sorted(each for group in found.groups for each in group) == [*range(int(np.prod(sizes)))]
    for group in found.groups:
        places = np.array(np.unravel_index(group, sizes)).reshape(len(sizes), -1)
        others = [each for each in range(len(sizes)) if each not in chosen]
        assert (places[others] == places[others, :1]).all()
        along = [tuple(places[chosen, i]) for i in range(len(group))]
        assert along == sorted(along)


# Hostile files


@pytest.mark.parametrize(
    "groups",
    [[[0, 0]], [[0, 1], [1, 2]], [[-1, 0]], [[]], [[0], []], [range(MOST_DEVICES + 1)]],
    ids=["twice", "in two groups", "negative", "empty", "one empty", "too many"],
)
def test_impossible_lists_are_unknown(groups):
    assert explicit(groups) is None


@pytest.mark.parametrize(
    "arguments",
    [
        (2, 4, [9]),
        (0, 8, [8]),
        (-2, -4, [8]),
        (2**40, 2**20, [2**60]),
        (1, MOST_DEVICES * 2, [MOST_DEVICES * 2]),
        (1, 1, []),
        (1, 1, [1] * 100),
        (1, 0, [0]),
        (2, 4, [2, 4], [0]),
        (2, 4, [2, 4], [1, 1]),
        (2, 4, [2, 4], [2, 0]),
    ],
)
def test_impossible_short_groups_are_unknown(arguments):
    assert of_iota(*arguments) is None


@pytest.mark.parametrize(
    ("sizes", "parts", "device_ids"),
    [
        ([], [], []),
        ([2**62, 2**62], [AxisPart(0)], []),
        ([2, 0], [AxisPart(0)], []),
        ([2] * 40, [AxisPart(0)], []),
        ([2, 2], [AxisPart(2)], []),
        ([2, 2], [AxisPart(-1)], []),
        ([4, 2], [AxisPart(0), AxisPart(0)], []),
        ([8], [AxisPart(0, 2, 3)], []),
        ([8], [AxisPart(0, 0, 2)], []),
        ([8], [AxisPart(0, 1, 4), AxisPart(0, 2, 2)], []),
        ([2, 2], [AxisPart(0)], [0, 1, 2]),
        ([2, 2], [AxisPart(0)], [0, 1, 2, 2]),
        ([2, 2], [AxisPart(0)], [0, 1, 2, -3]),
    ],
)
def test_impossible_meshes_are_unknown(sizes, parts, device_ids):
    assert of_mesh([MeshAxis(f"x{i}", size) for i, size in enumerate(sizes)], parts, device_ids) is None


def test_axes_of_one_name_are_unknown():
    assert of_mesh([MeshAxis("a", 2), MeshAxis("a", 2)], [AxisPart(0)]) is None


INTEGERS = st.one_of(st.integers(-2, 9), st.integers(-(2**63), 2**63 - 1))
SMALL = st.lists(st.integers(-2, 9) | st.integers(-(2**31), 2**31 - 1), max_size=4)


@settings(max_examples=200)
@given(st.binary(max_size=60), SMALL, st.lists(INTEGERS, max_size=4), INTEGERS, INTEGERS)
def test_any_bytes_are_groups_or_unknown(data, perm, numbers, first, second):
    iota = {"num_replica_groups": first, "num_devices_per_group": second, "iota_reshape_dims": numbers}
    axes = [{"name": str(row), "size": size} for row, size in enumerate(numbers)]
    parts = [{"mesh_axis_index": first, "sub_axis_info": {"pre_size": second, "size": first}}, {"mesh_axis_index": 0}]
    messages = [
        collective(iota_collective_device_list=iota | {"iota_transpose_perm": perm}),
        collective(mesh_axes_replica_group_list={"mesh": {"axes": axes, "device_ids": numbers}, "axes": parts}),
        collective(replica_groups=[{"replica_ids": numbers}], source_target_pairs=[{"source": first}]),
    ]
    for form in ("collective_device_list", "iota_collective_device_list", "mesh_axes_replica_group_list"):
        message = collective()
        try:
            getattr(message, form).ParseFromString(data)
        except DecodeError:
            continue
        messages.append(message)
    for message in messages:
        found = replica_groups_of(message)
        ids = [each for group in found.groups for each in group] if found else []
        assert len(set(ids)) == len(ids) <= MOST_DEVICES


def test_a_module_of_enormous_groups_keeps_some_of_them():
    known = KnownGroups()

    def enormous(row):
        perm = np.roll(range(20), row).tolist()
        iota = {"num_replica_groups": 1, "num_devices_per_group": 2**20, "iota_reshape_dims": [2] * 20}
        return known.of(collective(iota_collective_device_list=iota | {"iota_transpose_perm": perm}))

    kept = [row for row in range(10) if enormous(row) is not None]
    assert kept == [*range(MOST_DEVICES_OF_MODULE // MOST_DEVICES)]
    assert enormous(0) is not None


def test_a_device_that_receives_twice_leaves_the_pairs_unknown():
    module = small("collective-permute", source_target_pairs=[{"source": 0, "target": 1}, {"source": 2, "target": 1}])
    assert module.instructions[0].source_target_pairs == ()


# Replicas and partitions


def small(opcode, replicas=3, partitions=2, device_ids=((33, 44, 55), (34, 45, 56)), **fields):
    """A module of one instruction; its devices are those of the examples in XLA's ``collective_ops_utils.h``."""
    proto = hlo_pb2.HloProto()
    module = proto.hlo_module
    computation = module.computations.add(id=1, name="main", root_id=1)
    computation.instructions.add(id=1, name="it", opcode=opcode, **fields)
    module.entry_computation_id = 1
    module.device_assignment.replica_count = replicas
    module.device_assignment.computation_count = partitions
    for each in device_ids:
        module.device_assignment.computation_devices.add(replica_device_ids=each)
    return build_module(proto, "")


def groups(*members):
    return [{"replica_ids": each} for each in members]


def found_groups(opcode, *members, **fields):
    module = small(opcode, replica_groups=groups(*members), **fields)
    return set(global_groups(module, module.instructions[0]))


def test_without_a_channel_replicas_talk_within_their_partition():
    assert found_groups("all-reduce", [0], [1, 2]) == {(33,), (34,), (44, 55), (45, 56)}
    assert found_groups("all-to-all") == {(33, 44, 55), (34, 45, 56)}


def test_with_a_channel_replicas_talk_with_all_of_their_partitions():
    assert found_groups("all-gather", [0], [1, 2], channel_id=1) == {(33, 34), (44, 45, 55, 56)}
    assert found_groups("reduce-scatter", channel_id=1) == {(33, 34, 44, 45, 55, 56)}


def test_with_a_channel_other_collectives_talk_within_their_replica():
    assert found_groups("all-to-all", [0, 1], channel_id=1) == {(33, 34), (44, 45), (55, 56)}
    assert found_groups("collective-broadcast", [1], [0], channel_id=1) == {(33,), (34,), (44,), (45,), (55,), (56,)}


def test_global_ids_number_replicas_times_partitions():
    found = found_groups("all-reduce", [0, 3], [1, 2, 4, 5], channel_id=1, use_global_device_ids=True)
    assert found == {(33, 45), (34, 44, 55, 56)}


def test_pairs_are_of_replicas_or_with_a_channel_of_partitions():
    pairs = [{"source": 0, "target": 1}, {"source": 1, "target": 0}]
    module = small("collective-permute", source_target_pairs=pairs)
    assert set(global_pairs(module, module.instructions[0])) == {(33, 44), (44, 33), (34, 45), (45, 34)}
    module = small("collective-permute", source_target_pairs=pairs, channel_id=1)
    assert set(global_pairs(module, module.instructions[0])) == {
        *((33, 34), (34, 33)),
        *((44, 45), (45, 44)),
        *((55, 56), (56, 55)),
    }


def test_devices_that_are_not_recorded_are_numbered_in_order():
    module = small("all-reduce", device_ids=(), replica_groups=groups([0], [1, 2]))
    assert module.device_ids == ()
    assert set(global_groups(module, module.instructions[0])) == {(0,), (1,), (2, 4), (3, 5)}


def test_groups_stay_as_they_are_where_the_number_of_devices_is_unknown():
    module = small("all-reduce", 0, 0, (), replica_groups=groups([0, 1], [2, 3]), channel_id=1)
    assert global_groups(module, module.instructions[0]) == ((0, 1), (2, 3))


@pytest.mark.parametrize(
    "device_ids",
    [((33, 44, 55),), ((33, 44), (34, 45)), ((33, 44, 55), (33, 45, 56)), ((33, 44, -1), (34, 45, 56))],
    ids=["a partition too few", "a replica too few", "twice", "negative"],
)
def test_an_impossible_assignment_is_not_recorded(device_ids):
    assert small("all-reduce", device_ids=device_ids).device_ids == ()


def test_groups_of_what_is_not_there_and_of_too_many_devices_are_unknown():
    assert found_groups("all-reduce", [0, 3]) == set()
    assert found_groups("all-reduce", replicas=2**31 - 1, partitions=2**31 - 1, device_ids=()) == set()
    module = small("collective-permute", source_target_pairs=[{"source": 0, "target": 7}])
    assert global_pairs(module, module.instructions[0]) == ()
    without = attrs.evolve(module.instructions[0], source_target_pairs=())
    assert (global_groups(module, without), global_pairs(module, without)) == ((), ())

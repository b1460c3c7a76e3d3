"""Groups of collectives in HLO text, in each way of writing them."""

import pytest

from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.device_groups import global_groups
from scopelight.program.hlo.groups import MeshAxis, ReplicaGroups

TEXT = """HloModule m, replica_count=2, num_partitions=4

ENTRY e {{
  p = f32[4] parameter(0)
  ROOT r = f32[4] {}, channel_id=3, metadata={{op_name="jit(f)/psum"}}
}}
"""


def parsed(instruction):
    module = build_module(parse_hlo_text(TEXT.format(instruction), where="text"), "")
    assert module.by_name["r"].op_name == "jit(f)/psum"
    return module


def groups_of(value, opcode="all-gather"):
    return parsed(f"{opcode}(p), replica_groups={value}").by_name["r"].replica_groups


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{}", ()),
        ("{{0,2},{1,3}}", ((0, 2), (1, 3))),
        ("{{0, 2}, {1, 3}}", ((0, 2), (1, 3))),
        ("[2,4]<=[8]", ((0, 1, 2, 3), (4, 5, 6, 7))),
        ("[4,2]<=[2,4]T(1,0)", ((0, 4), (1, 5), (2, 6), (3, 7))),
        ("mesh['data'=2,'model'=2] {'data'}", ((0, 2), (1, 3))),
        ("mesh['data'=2,'model'=2] {'model','data'}", ((0, 2, 1, 3),)),
        ("mesh['data'=2,'model'=2] {}", ((0,), (1,), (2,), (3,))),
        ("mesh['a'=8] {'a':(2)2}", ((0, 2), (1, 3), (4, 6), (5, 7))),
        ("mesh['a'=8] {'a':(4)2,'a':(1)2}", ((0, 4, 1, 5), (2, 6, 3, 7))),
        ("mesh['a'=2,'b'=2], device_ids=(3,2,1,0) {'a'}", ((3, 1), (2, 0))),
        ("mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'a'}", ((0, 1), (2, 3), (4, 5), (6, 7))),
    ],
)
def test_every_way_of_writing_groups_is_read(value, expected):
    assert groups_of(value).groups == expected


def test_a_mesh_is_named():
    found = groups_of("mesh['a'=2,'b, c'=2], device_ids=(3,2,1,0) {'b, c'}")
    assert found == ReplicaGroups(
        groups=((3, 2), (1, 0)),
        axes=("b, c",),
        mesh=(MeshAxis("a", 2), MeshAxis("b, c", 2)),
        mesh_device_ids=(3, 2, 1, 0),
    )


@pytest.mark.parametrize(
    "value",
    [
        "{{}}",
        "{{0,0}}",
        "[2,4]<=[9]",
        "[99999999999,99999999999]<=[9999999999999999]",
        "mesh['a'=2] {'b'}",
        "mesh['a'=2] {'a','a'}",
        "mesh['a'=9999999999] {'a'}",
        "mesh['a'=2], device_ids=(0,0) {'a'}",
        "mesh['a'=2], device_ids=([9]T(0)) {'a'}",
        "mesh['a'=2], device_ids=elsewhere {'a'}",
        "maximal_mesh[device_id=0] {}",
        "something_new[1,2]",
    ],
)
def test_groups_that_cannot_be_are_unknown(value):
    assert groups_of(value) is None


def test_pairs_channel_and_flag_are_read():
    permute = parsed("collective-permute(p), source_target_pairs={{0,1},{1,0}}").by_name["r"]
    assert permute.source_target_pairs == ((0, 1), (1, 0))
    assert (permute.channel_id, permute.uses_global_device_ids) == (3, False)
    assert parsed("all-reduce(p), use_global_device_ids=true").by_name["r"].uses_global_device_ids
    assert not parsed("all-reduce(p), use_global_device_ids=false").by_name["r"].uses_global_device_ids


def test_the_header_says_how_replicas_and_partitions_are_numbered():
    module = parsed("all-to-all(p), replica_groups={{0,1},{2,3}}")
    assert (module.device_count, module.partition_count) == (8, 4)
    assert set(global_groups(module, module.by_name["r"])) == {(0, 1), (2, 3), (4, 5), (6, 7)}


def test_groups_of_an_op_written_as_asynchronous_belong_to_the_op_inside():
    text = TEXT.replace("f32[4] {}", "((f32[4]), f32[4], s32[]) all-to-all-start(p), replica_groups={{{{0,1}}}}")
    module = build_module(parse_hlo_text(text.format(), where="text"), "")
    (inner,) = [each for each in module.instructions if each.opcode == "all-to-all"]
    assert inner.replica_groups.groups == ((0, 1),)
    assert inner.channel_id == 3
    assert module.by_name["r"].replica_groups is None

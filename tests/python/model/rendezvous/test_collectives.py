"""Executions of collectives: which op, which run and how often in it, among which devices, from when to when."""

import numpy as np

from made.executions import executions_of
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.model.executions import Op
from scopelight.model.rendezvous.collectives import collectives_of, link_bytes
from scopelight.model.rendezvous.instances import ABSENT_PS, instances_of
from scopelight.program.hlo.builder import build_module

PROGRAM = """HloModule jit_step, num_partitions=4

%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum.1 = f32[] add(%a, %b)
}

ENTRY %main (x: f32[64]) -> f32[64] {
  %x = f32[64]{0} parameter(0)
  %tanh.1 = f32[64]{0} tanh(%x)
  %all-reduce.2 = f32[64]{0} all-reduce(%tanh.1), channel_id=1, replica_groups={{0,1},{2,3}}, \
use_global_device_ids=true, to_apply=%sum
  %all-gather-start.3 = (f32[64]{0}, f32[256]{0}) all-gather-start(%all-reduce.2), channel_id=1, \
replica_groups=[1,4]<=[4], dimensions={0}, use_global_device_ids=true
  %tanh.4 = f32[64]{0} tanh(%all-reduce.2)
  %all-gather-done.5 = f32[256]{0} all-gather-done(%all-gather-start.3)
  %collective-permute.6 = f32[64]{0} collective-permute(%tanh.4), channel_id=1, \
source_target_pairs={{0,1},{1,2},{2,3}}
  ROOT %tanh.7 = f32[64]{0} tanh(%collective-permute.6)
}
"""


def module_of(program_id="7", text=PROGRAM):
    return build_module(parse_hlo_text(text, where="made"), program_id)


def ops_by_name(module, program=0):
    return {each.name: Op(each.name, "", program, module=module, instruction=each) for each in module.instructions}


OPS = ops_by_name(module_of())


def ran(rows, **columns):
    """Executions of (device, run, op's name, start_ps, end_ps)."""
    rows = sorted(rows, key=lambda row: (row[0], row[3]))
    found = [(OPS[name], start, end) for _, _, name, start, end in rows]
    return executions_of(found, devices=[row[0] for row in rows], runs=[row[1] for row in rows], **columns)


def told(collectives):
    names = [each.name for each in collectives.ops]
    columns = (collectives.device, collectives.run, collectives.occurrence, collectives.start_ps, collectives.end_ps)
    return [
        (names[op], *rest) for op, *rest in zip(collectives.op.tolist(), *(c.tolist() for c in columns), strict=True)
    ]


def test_only_ops_in_which_devices_meet_are_collectives():
    found = collectives_of(
        ran([(0, 0, "tanh.1", 0, 10), (0, 0, "all-reduce.2", 10, 14), (0, 0, "tanh.4", 14, 20)]), [0]
    )
    assert told(found) == [("all-reduce.2", 0, 0, 0, 10, 14)]
    assert found.row.tolist() == [1]


def test_an_op_in_a_loop_counts_its_executions_in_each_run_on_each_device():
    rows = [
        (device, 2 * device + run, "all-reduce.2", 100 * run + 10 * each, 100 * run + 10 * each + 5)
        for device in range(2)
        for run in range(2)
        for each in range(3)
    ]
    found = collectives_of(ran(rows), [0, 1])
    assert found.occurrence.tolist() == [0, 1, 2] * 4
    instances = instances_of(found, np.array([0, 1, 0, 1]), np.array([0, 1]))
    assert len(instances) == 6
    assert instances.took_part.all()
    assert instances.arrival_ps[:, 0].tolist() == [0, 10, 20, 100, 110, 120]
    assert instances.is_complete.all()


def test_an_asynchronous_collective_reaches_from_its_start_to_its_end():
    rows = [
        (0, 0, "all-gather-start.3", 10, 11),
        (0, 0, "tanh.4", 11, 40),
        (0, 0, "all-gather-done.5", 40, 52),
        (0, 1, "all-gather-start.3", 110, 111),
        (0, 1, "all-gather-done.5", 150, 153),
    ]
    found = collectives_of(ran(rows), [0])
    assert told(found) == [("all-gather-start.3", 0, 0, 0, 10, 52), ("all-gather-start.3", 0, 1, 0, 110, 153)]
    # Nothing but the collective goes on only from where it is waited for.
    assert found.awaited_ps.tolist() == [40, 150]
    assert found.row.tolist() == [2, 4]
    # The greater one of its two shapes is what is gathered.
    assert [(each.kind, each.bytes, each.is_barrier) for each in found.ops] == [("all-gather", 1024, True)]


def test_a_start_whose_end_was_not_seen_is_an_execution_of_its_own():
    found = collectives_of(ran([(0, 0, "all-gather-start.3", 10, 11)]), [0])
    assert told(found) == [("all-gather-start.3", 0, 0, 0, 10, 11)]


def test_groups_are_those_of_the_devices_ids():
    found = collectives_of(ran([(device, device, "all-reduce.2", 0, 5) for device in range(4)]), [3, 0, 2, 1])
    group = found.group[0].tolist()
    assert group[0] == group[2] != group[1] == group[3]
    assert found.size[0].tolist() == [2] * 4
    assert found.source[0].tolist() == [-1] * 4


def test_a_permute_says_who_sends_to_each_device():
    rows = [(device, device, "collective-permute.6", 0, 5) for device in range(4)]
    found = collectives_of(ran(rows), [3, 0, 2, 1])
    assert found.source[0].tolist() == [2, -1, 1, 0]
    assert found.ops[0].is_point_to_point
    assert not found.ops[0].is_barrier
    instances = instances_of(found, np.zeros(4, np.int64), np.array([3, 0, 2, 1]))
    # As columns: device 3 is the first, 0 the second, 2 the third and 1 the last.
    assert instances.source[0].tolist() == [2, -1, 3, 1]
    assert instances.target[0].tolist() == [-1, 3, 0, 2]


def test_where_a_program_is_not_recorded_its_kernels_are_of_one_group_of_unknown_size():
    op = Op("ncclDevKernel_AllReduce_Sum_f32", "", -1)
    found = collectives_of(executions_of([(op, 0, 5), (op, 1, 5)], devices=[0, 1], runs=[0, 1], kind="gpu"), [0, 1])
    assert found.size[0].tolist() == [0, 0]
    assert found.group[0].tolist() == [0, 0]
    assert found.ops[0].program == 0
    assert found.ops[0].bytes is None


def test_one_program_that_two_processes_compiled_has_one_op():
    other = ops_by_name(module_of(program_id="12"), program=1)["all-reduce.2"]
    rows = [(OPS["all-reduce.2"], 0, 5), (other, 1, 5)]
    found = collectives_of(executions_of(rows, devices=[0, 1], runs=[0, 1]), [0, 1])
    assert len(found.ops) == 1
    assert len(instances_of(found, np.zeros(2, np.int64), np.array([0, 1]))) == 1


def test_what_lacks_a_member_of_a_group_that_came_is_incomplete():
    rows = [(0, 0, "all-reduce.2", 0, 5), (1, 1, "all-reduce.2", 1, 5), (2, 2, "all-reduce.2", 2, 6)]
    whole = collectives_of(ran([*rows, (3, 3, "all-reduce.2", 3, 6)]), [0, 1, 2, 3])
    assert instances_of(whole, np.zeros(4, np.int64), np.arange(4)).is_complete.tolist() == [True]
    lacking = collectives_of(ran(rows), [0, 1, 2])
    assert instances_of(lacking, np.zeros(3, np.int64), np.arange(3)).is_complete.tolist() == [False]
    # Of a group of which nobody came nothing is missing.
    half = collectives_of(ran(rows[:2]), [0, 1])
    assert instances_of(half, np.zeros(2, np.int64), np.arange(2)).is_complete.tolist() == [True]


def test_a_permute_of_which_one_side_came_alone_is_incomplete():
    # 0 → 1 → 2 → 3.
    for came, is_complete in (((0, 1, 2, 3), True), ((0, 1, 3), False), ((1, 2, 3), False), ((0, 1, 2), False)):
        others = [(device, device, "tanh.1", 0, 5) for device in range(4) if device not in came]
        rows = [(device, device, "collective-permute.6", 0, 5) for device in came]
        found = collectives_of(ran([*rows, *others]), range(4))
        assert instances_of(found, np.zeros(4, np.int64), np.arange(4)).is_complete.tolist() == [is_complete]


def test_what_ran_in_no_known_run_is_left_out():
    found = collectives_of(ran([(0, -1, "all-reduce.2", 0, 5), (0, 0, "all-reduce.2", 10, 15)]), [0])
    instances = instances_of(found, np.zeros(1, np.int64), np.array([0]))
    assert instances.place.tolist() == [-1, 0]
    assert instances.arrival_ps.tolist() == [[10]]


def test_instances_are_in_the_order_of_time_and_stay_so_when_clocks_are_moved():
    rows = [(0, 0, "all-reduce.2", 50, 60), (0, 0, "collective-permute.6", 70, 80)]
    rows += [(1, 1, "collective-permute.6", 10, 20), (1, 1, "all-reduce.2", 90, 95)]
    found = collectives_of(ran(rows), [0, 1])
    instances = instances_of(found, np.zeros(2, np.int64), np.arange(2))
    names = [found.ops[op].name for op in instances.op.tolist()]
    assert names == ["collective-permute.6", "all-reduce.2"]
    moved = instances.moved(np.array([0, 100]))
    assert [found.ops[op].name for op in moved.op.tolist()] == ["all-reduce.2", "collective-permute.6"]
    assert moved.arrival_ps.tolist() == [[50, 190], [70, 110]]
    # Each execution is still told its row.
    for each, place in zip(range(len(found)), moved.place.tolist(), strict=True):
        assert moved.op[place] == found.op[each]


def test_a_device_that_took_no_part_stays_absent_when_its_clock_is_moved():
    found = collectives_of(ran([(0, 0, "all-reduce.2", 50, 60), (1, 1, "tanh.1", 0, 1)]), [0, 1])
    moved = instances_of(found, np.zeros(2, np.int64), np.arange(2)).moved(np.array([7, 7]))
    assert moved.arrival_ps.tolist() == [[57, ABSENT_PS]]
    assert moved.took_part.tolist() == [[True, False]]


def test_bytes_on_the_link_are_those_of_ring_algorithms():
    found = {kind: link_bytes(kind, 4, 1000) for kind in ("all-reduce", "all-gather", "all-to-all", "reduce-scatter")}
    assert found == {"all-reduce": 1500, "all-gather": 750, "all-to-all": 750, "reduce-scatter": 3000}
    assert link_bytes("collective-permute", 4, 1000) == 1000
    assert link_bytes("all-reduce", 1, 1000) == 0


def test_nothing_ran():
    found = collectives_of(executions_of([]), [0])
    assert len(found) == 0
    instances = instances_of(found, np.zeros(0, np.int64), np.array([0]))
    assert len(instances) == 0
    assert instances.is_complete.tolist() == []

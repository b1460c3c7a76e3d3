"""What ops occupy a device with, by instruction, category or name."""

import pytest

from made.executions import named, ops_of_module
from scopelight.model.op_work import Work, work_of


@pytest.mark.parametrize(
    "opcode", ["all-reduce", "all-gather-start", "reduce-scatter", "collective-permute-done", "send", "recv-done"]
)
def test_collectives_and_their_halves_communicate_whatever_they_are_called(opcode):
    (op,) = ops_of_module([("psum_invariant.7", opcode, ())])
    assert work_of(op) is Work.COMMUNICATION


@pytest.mark.parametrize(
    ("op", "work"),
    [
        (named("all-reduce.3", "all-reduce"), Work.COMMUNICATION),
        (named("all-reduce-start.3"), Work.COMMUNICATION),
        (named("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", "kernel"), Work.COMMUNICATION),
        (named("ncclKernel_SendRecv"), Work.COMMUNICATION),
        (named("MemcpyP2P", "copy device to device"), Work.COMMUNICATION),
        (named("MemcpyD2D", "copy device to device"), Work.COMPUTATION),
        (named("MemcpyH2D", "copy host to device"), Work.TRANSFER),
        (named("copy-done.1", "copy-done"), Work.TRANSFER),
        (named("copy.1", "copy"), Work.COMPUTATION),
        (named("send.2", "host send"), Work.TRANSFER),
        (named("infeed.1", "infeed"), Work.WAIT),
        (named("outfeed.1", "outfeed"), Work.TRANSFER),
        (named("while.3", "while"), Work.CONTAINER),
        (named("custom-call.3", "custom-call"), Work.COMPUTATION),
        (named("fusion.3", "loop fusion"), Work.COMPUTATION),
        (named("send_messages_fusion", "loop fusion"), Work.COMPUTATION),
        (named("", ""), Work.COMPUTATION),
    ],
)
def test_without_a_program_the_category_tells_else_the_name(op, work):
    assert work_of(op) is work


def test_a_send_to_the_host_is_a_transfer_though_its_opcode_is_that_of_one_between_devices():
    (op,) = ops_of_module([("send.1", "send", ())])
    host = type(op)(op.name, "host send", 0, module=op.module, instruction=op.instruction)
    assert (work_of(op), work_of(host)) == (Work.COMMUNICATION, Work.TRANSFER)

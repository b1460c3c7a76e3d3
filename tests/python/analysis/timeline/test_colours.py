"""Colours of ops by what they do and which phase they are of, and of a host's events by their names."""

import pytest

from made.executions import executions_of, named, profile_of_executions
from scopelight.analysis.timeline.colours import host_colours, op_colours
from scopelight.analysis.timeline.records import SLICE_COLOURS
from scopelight.analysis.totals.centre import centre_of

BACKWARD = "jit(f)/transpose(jvp(f))/mul"


@pytest.mark.parametrize(
    ("op", "colour"),
    [
        (named("fusion", "loop fusion", "jit(f)/jvp(f)/mul"), "forward"),
        (named("fusion", "loop fusion", BACKWARD), "backward"),
        (named("fusion", "loop fusion", "jit(f)/transpose(jvp(f))/rematted_computation/mul"), "recompute"),
        (named("fusion", "loop fusion", "jit(f)/adam/mul"), "optimizer"),
        (named("fusion", "loop fusion", "jit(f)/mul"), "other"),
        (named("while", "while", BACKWARD), "backward"),
        (named("all-reduce", "all-reduce", BACKWARD), "communication"),
        (named("copy-done", "copy-done", BACKWARD), "transfer"),
        (named("infeed", "infeed", BACKWARD), "idle"),
    ],
)
def test_an_op_has_the_colour_of_its_phase_unless_it_only_moves_data_or_waits(op, colour):
    (place,) = op_colours(centre_of(profile_of_executions(executions_of([(op, 0, 10)]), 10)))
    assert SLICE_COLOURS[place] == colour


@pytest.mark.parametrize(
    ("name", "colour"),
    [
        ("PjitFunction(step)", "host"),
        ("$train.py:12 step", "host"),
        ("tpu::System::TransferToDevice=>IssueEvent=>Done", "transfer"),
        ("BufferFromHostBuffer", "transfer"),
        ("Iterator::Prefetch::BatchV2", "transfer"),
        ("IteratorGetNext", "transfer"),
        ("Rendezvous", "communication"),
        ("Wait: pending_threads=3/4", "communication"),
        ("barrier-cores", "communication"),
        ("PjRtCpuBuffer::BlockUntilReady", "idle"),
        ("dependency-wait", "idle"),
        ("Wait for donation holds", "idle"),
        ("waiter_for_tables", "host"),
        ("", "host"),
    ],
)
def test_a_name_on_the_host_tells_what_it_does(name, colour):
    (place,) = host_colours([name])
    assert SLICE_COLOURS[place] == colour

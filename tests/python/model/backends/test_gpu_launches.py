"""Program runs on GPUs are the launches of the programs, whatever the file says of the host."""

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.gpu_traces import Launch, MadeOp, MadeProgram, write_trace
from scopelight.analysis.ops.table import kernels_per_run
from scopelight.model.opening.profile import open_profile

ADD = MadeProgram("jit_add", 11, (MadeOp("add_fusion"),))
ADD_OF_OTHERS = MadeProgram("jit_add", 28, (MadeOp("add_fusion"),))
SINE = MadeProgram("jit_sin", 13, (MadeOp("sine_fusion"),))
SPLIT = MadeProgram("jit_split", 15, (MadeOp("custom-call.1", "custom-call", ("gemm", "reduce")),))
TWICE = MadeProgram("jit_twice", 16, (MadeOp("custom-call.2", "custom-call", ("fill", "fill")),))
STEP = MadeProgram(
    "jit_step",
    17,
    (
        MadeOp("fusion.1"),
        MadeOp("custom-call.3", "custom-call", ("fill", "fill", "gemm")),
        MadeOp("copy_fusion", stream=1),
        MadeOp("fusion.2"),
    ),
)
LOOP = MadeProgram(
    "jit_loop", 19, (MadeOp("while.1", "while", body=("dot_fusion", "add_fusion.2"), times=4), MadeOp("fusion.3"))
)
GRAPH = MadeProgram("jit_graph", 21, (MadeOp("call.1", "call", ("one", "two", "two", "three")),), is_graph=True)
PROGRAMS = (ADD, ADD_OF_OTHERS, SINE, SPLIT, STEP, LOOP)
"""Programs whose runs can be told apart without the host."""


def told_apart(launches, queue_of=lambda _: 0):
    """Launches without those that only spans tell apart: of an op whose runs may be one of twice as many kernels."""
    last = {}
    kept = []
    for each in launches:
        program, queue = (each if isinstance(each, tuple) else (each, 0))[0], queue_of(each)
        if program is not SPLIT or last.get(queue) is not SPLIT:
            kept.append(each)
        last[queue] = program
    return kept


def opened(launches, order=(), **how):
    with tempfile.TemporaryDirectory() as folder:
        trace = write_trace(Path(folder) / "made.xplane.pb", launches, order, **how)
        return trace, open_profile(trace.path)


def check(trace, profile):
    """Each run is one launch, and each launch one run on its device."""
    executions, runs = profile.executions, profile.runs
    first_ps = min(start for _, _, start in trace.launch_of)
    offset = first_ps - int(executions.start_ps.min())
    run_of_launch = {}
    for device, lane, start_ps, run in zip(
        executions.device, executions.lane, executions.start_ps + offset, executions.run, strict=True
    ):
        launch = trace.launch_of[executions.devices[device].name, executions.lanes[lane], int(start_ps)]
        run_of_launch.setdefault(launch, set()).add(int(run))
    assert len(executions) == len(trace.launch_of)
    assert all(len(each) == 1 for each in run_of_launch.values()), run_of_launch
    assert len({run for each in run_of_launch.values() for run in each}) == len(run_of_launch) == len(runs)


hosts = st.sampled_from(["same row", "two rows", "calls", "nothing"])


@given(launches=st.lists(st.sampled_from(PROGRAMS), min_size=1, max_size=12), host=hosts)
def test_launches_of_one_thread_on_one_device_are_its_runs(launches, host):
    # Without the host's calls, streams are told to be done at the end of a run by their times alone.
    launches = told_apart(launches) if host in ("calls", "nothing") else launches
    check(*opened([Launch(each) for each in launches], host=host, joins_streams=host == "nothing"))


@given(
    launches=st.lists(
        st.tuples(st.sampled_from((*PROGRAMS, TWICE, GRAPH)), st.integers(0, 2), st.integers(0, 2)),
        min_size=1,
        max_size=12,
    ),
    order=st.lists(st.integers(0, 2), max_size=60),
)
def test_spans_of_the_host_tell_launches_of_several_threads_on_several_devices_apart(launches, order):
    check(*opened([Launch(*each) for each in launches], order))


@given(
    launches=st.lists(st.tuples(st.sampled_from(PROGRAMS), st.integers(0, 1)), min_size=1, max_size=12),
    order=st.lists(st.integers(0, 1), max_size=60),
)
def test_calls_of_the_host_tell_launches_of_several_threads_apart(launches, order):
    """Threads that take turns call by call, each on one device, as XLA has them: no span says what belongs together."""
    launches = told_apart(launches, lambda each: each[1])
    check(*opened([Launch(program, thread, thread) for program, thread in launches], order, host="calls"))
    check(*opened([Launch(program, thread, 0) for program, thread in launches], order, host="calls"))


@given(
    launches=st.lists(st.tuples(st.sampled_from((*PROGRAMS, TWICE, GRAPH)), st.integers(0, 3)), min_size=1, max_size=16)
)
def test_threads_that_stand_in_two_rows_are_paired(launches):
    check(*opened([Launch(program, thread, thread) for program, thread in launches], host="two rows"))


@given(launches=st.lists(st.tuples(st.sampled_from(PROGRAMS), st.integers(0, 2)), min_size=1, max_size=12))
def test_streams_alone_tell_launches_on_several_devices_apart(launches):
    launches = told_apart(launches, lambda each: each[1])
    check(*opened([Launch(program, 0, device) for program, device in launches], host="nothing", joins_streams=True))


@pytest.mark.parametrize("host", ["same row", "two rows", "calls", "nothing"])
def test_a_small_program_that_comes_again_after_others_takes_one_kernel_a_run(host):
    trace, profile = opened([Launch(each) for each in (ADD, SINE, SPLIT) * 5], host=host)
    check(trace, profile)
    executions = profile.executions
    names = {executions.ops[row].name: kernels for row, kernels in kernels_per_run(executions).items()}
    assert names == {"custom-call.1": 2}
    by_program = Counter(executions.programs[row].name for row in profile.runs.program.tolist())
    assert by_program == {"jit_add": 5, "jit_sin": 5, "jit_split": 5}


@pytest.mark.parametrize("host", ["same row", "two rows", "calls", "nothing"])
def test_an_op_that_runs_one_kernel_twice_has_both_in_its_run(host):
    """Between two others there are always two: that is its length, where nothing else says so."""
    trace, profile = opened([Launch(each) for each in (TWICE, SINE) * 4], host=host)
    check(trace, profile)
    assert set(kernels_per_run(profile.executions).values()) == {2}


@pytest.mark.parametrize("host", ["same row", "two rows"])
def test_the_host_tells_apart_what_the_device_cannot(host):
    trace, profile = opened([Launch(TWICE)] * 6, host=host)
    check(trace, profile)
    assert len(profile.runs) == 6


@pytest.mark.parametrize("host", ["same row", "two rows"])
@given(launches=st.lists(st.sampled_from((*PROGRAMS, TWICE)), min_size=4, max_size=10), unseen=st.integers(1, 3))
def test_launches_from_before_the_capture_have_no_span_and_are_told_apart(host, launches, unseen):
    """Of those the kernels are counted as in the launches that are known."""
    seen = launches[unseen:]
    # One that launches a kernel twice says so only where the host saw a launch of it.
    before = [each for each in launches[:unseen] if each is not TWICE or each in seen]
    check(*opened([Launch(each) for each in (*before, *seen)], host=host, first_span=len(before)))


def test_runs_that_the_file_does_not_name_have_no_id():
    _, profile = opened([Launch(each) for each in (ADD, SINE, ADD)])
    assert len(profile.runs) == 3
    assert not profile.runs.run_id.any()


def test_without_the_host_each_kernel_of_an_only_op_is_taken_for_a_run():
    """Six launches of two equal kernels, or twelve of one: on a device alone they look the same."""
    _, profile = opened([Launch(TWICE)] * 6, host="nothing")
    assert len(profile.runs) == 12

"""What threads were in, by the names of the events of their trace."""

import itertools

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.xspace import Line, plane, write
from scopelight.model.host.states import HostState, ThreadStates, joined_threads
from scopelight.model.opening.profile import open_profile

FIRST = ("begins", 0, 1)
"""The first event of the profile, from which its time counts."""


@pytest.fixture
def states_of(tmp_path):
    """The states that are read of threads, each given as its events."""

    def read(*threads, id_of=lambda row: row + 1):
        lines = [Line(f"thread {row}", (FIRST, *events), id=id_of(row)) for row, events in enumerate(threads)]
        return open_profile(write(tmp_path / "host.xplane.pb", plane("/host:CPU", *lines))).host_states

    return read


def spans(states):
    """Of one thread (state, start, end), in order."""
    columns = zip(states.state.tolist(), states.start_ps.tolist(), states.end_ps.tolist(), strict=True)
    return sorted((HostState(state), start, end) for state, start, end in columns)


NAMES = {
    HostState.COMPILE: [
        "backend_compile_and_load",
        "lower_sharding_computation",
        "lower_parallel_callable",
        "trace_to_jaxpr_dynamic",
        "trace_to_jaxpr_dynamic2",
        "PjRtCpuClient::Compile (MLIR)",
        "TfrtCpuClient::Compile",
        "XlaCompile",
        "CpuCompiler::RunBackend",
    ],
    HostState.RELEASE: ["PythonRefManager::CollectGarbage"],
    HostState.INPUT: ["Iterator::Root::Prefetch", "IteratorGetNextOp::DoCompute"],
    HostState.CALLBACK: ["xla_python_cpu_callback", "xla_ffi_python_cpu_callback", "xla_python_gpu_callback"],
    HostState.TRANSFER: [
        "DevicePut",
        "DevicePutWithSharding",
        "shard_args",
        "batched_copy_array_to_devices_with_sharding",
        "BatchedCopyToDeviceWithSharding",
        "H2D Dispatch",
        "CommonPjRtClient::LinearizeIntoImpl",
        "TfrtTpuClient::BufferFromHostBuffer::TfrtTpuBuffer",
        "TfrtCpuClient::BufferFromHostBuffer",
        "tpu::System::TransferToDevice=>IssueEvent=>Done",
        "MapDmaBuffer",
        "ArrayImpl.copy_to_host_async",
    ],
    HostState.SYNC: ["np.asarray(jax.Array)"],
    HostState.DISPATCH: [
        "PjitFunction(step)",
        "ExecuteReplicated.__call__",
        "CommonPjRtLoadedExecutable::ExecuteHelperOnSingleDevice",
        "TfrtCpuExecutable::Execute",
        "TfrtCpuExecutable::ExecuteHelper",
        "TfrtTpuLoadedExecutable::Execute",
        "PjRtStreamExecutorLoadedExecutable::Execute",
    ],
}


@pytest.mark.parametrize(("state", "name"), [(state, name) for state, names in NAMES.items() for name in names])
def test_an_events_name_says_what_a_thread_was_in(states_of, state, name):
    (found,) = states_of([(name, 10, 5)])
    assert spans(found) == [(state, 10, 15)]


@pytest.mark.parametrize(
    "name", ["ParseArguments", "ThreadpoolListener::Record", "Wait: pending_threads=2/2", "dot.1", "my_DevicePut", ""]
)
def test_other_events_say_nothing(states_of, name):
    assert states_of([(name, 10, 5)]) == []


def test_threads_keep_their_places_in_the_trace(states_of):
    found = states_of(
        [("DevicePut", 10, 5)], [("other", 3, 4)], [("PjitFunction(f)", 20, 1)], id_of=lambda row: 7 - 9 * row
    )
    assert [(each.line_id, each.name, each.host) for each in found] == [(7, "thread 0", 0), (-11, "thread 2", 0)]


def test_a_call_that_compiles_has_traced_until_then(states_of):
    (found,) = states_of(
        [
            ("PjitFunction(step)", 10, 100),
            ("PjitFunction(tanh)", 20, 5),
            ("lower_sharding_computation", 40, 10),
            ("backend_compile_and_load", 50, 30),
            ("PjitFunction(step)", 120, 10),
        ]
    )
    compiling = [each[1:] for each in spans(found) if each[0] == HostState.COMPILE]
    assert compiling == [(10, 80), (40, 50), (50, 80)]


def test_what_is_compiled_in_a_callback_is_not_for_the_call_that_runs_it(states_of):
    (found,) = states_of(
        [("PjitFunction(step)", 10, 100), ("xla_python_cpu_callback", 30, 50), ("backend_compile", 40, 10)]
    )
    assert [each[1:] for each in spans(found) if each[0] == HostState.COMPILE] == [(40, 50)]


def test_what_is_compiled_in_a_nested_call_is_for_the_one_around_as_well(states_of):
    (found,) = states_of([("PjitFunction(step)", 10, 100), ("PjitFunction(eye)", 20, 15), ("backend_compile", 25, 8)])
    assert [each[1:] for each in spans(found) if each[0] == HostState.COMPILE] == [(10, 33), (20, 33), (25, 33)]


def mark(at, number, *, ends, name="CommonPjRtBuffer::Await", takes=2):
    """An end of a wait."""
    return name, at, takes, {"_ct": 5, "_c": number} if ends else {"_pt": 5, "_p": number}


@pytest.mark.parametrize("name", ["CommonPjRtBuffer::Await", "TfrtCpuBuffer::Await", "PjRtStreamExecutorBuffer::Await"])
def test_a_wait_is_from_the_mark_at_its_start_to_the_one_at_its_end(states_of, name):
    (found,) = states_of([mark(10, 1, ends=False, name=name), mark(30, 1, ends=True, name=name)])
    assert spans(found) == [(HostState.SYNC, 10, 32)]


def test_waits_go_by_their_numbers(states_of):
    marks = [mark(10, 1, ends=False), mark(15, 2, ends=False), mark(30, 2, ends=True), mark(40, 1, ends=True)]
    (found,) = states_of(marks)
    assert spans(found) == [(HostState.SYNC, 10, 42), (HostState.SYNC, 15, 32)]


def test_a_number_that_comes_again_is_another_wait(states_of):
    marks = [mark(at, 1, ends=ends) for at, ends in ((10, False), (20, True), (30, False), (40, True))]
    (found,) = states_of(marks)
    assert spans(found) == [(HostState.SYNC, 10, 22), (HostState.SYNC, 30, 42)]


@pytest.mark.parametrize(
    "marks",
    [
        [mark(10, 1, ends=False)],
        [mark(10, 1, ends=True)],
        [mark(10, 1, ends=True), mark(20, 1, ends=False)],
        [mark(10, 1, ends=False), mark(20, 2, ends=True)],
        [("CommonPjRtBuffer::Await", 10, 5)],
    ],
)
def test_a_wait_of_which_an_end_is_missing_is_none(states_of, marks):
    assert states_of(marks) == []


def test_marks_do_not_pair_over_threads(states_of):
    assert states_of([mark(10, 1, ends=False)], [mark(20, 1, ends=True)]) == []


def test_events_of_stages_are_input_whatever_they_are_called(states_of):
    stage = ("MapDatasetIterator.__next__", 10, 30, {"_ipl_stage_id": 140, "_ipl_stage_name": "Map"})
    (found,) = states_of([stage, ("DevicePut", 50, 5), ("plain", 60, 5)])
    assert spans(found) == [(HostState.INPUT, 10, 40), (HostState.TRANSFER, 50, 55)]


def test_states_at_once_are_all_told(states_of):
    (found,) = states_of([("PjitFunction(f)", 10, 50), ("DevicePut", 20, 5), ("backend_compile", 30, 20)])
    assert {state for state, *_ in spans(found)} == {HostState.COMPILE, HostState.TRANSFER, HostState.DISPATCH}
    assert found.of(HostState.TRANSFER)[0].tolist() == [20]
    assert [each.tolist() for each in found.of(HostState.INPUT)] == [[], []]


def test_states_are_moved_together():
    whole = ThreadStates(0, 1, "", np.array([0], dtype=np.int8), np.array([10]), np.array([30])).moved(4)
    assert (whole.start_ps.tolist(), whole.end_ps.tolist()) == ([6], [26])


def of_trace(*threads):
    """The threads of one trace, from (id, name, when they began to launch), of host 0."""
    return [
        ThreadStates(0, line_id, name, np.array([HostState.DISPATCH], np.int8), np.array([at]), np.array([at + 5]))
        for line_id, name, at in threads
    ]


def launched(traces):
    """By id, and name where lines differ in that, when each thread of several traces began to launch."""
    return [(each.line_id, each.name, each.start_ps.tolist()) for each in joined_threads(traces)]


def test_a_thread_of_several_traces_is_one():
    # It may have been given another name meanwhile.
    found = joined_threads([of_trace((7, "python", 10), (8, "loader", 20)), of_trace((8, "", 40), (7, "train", 30))])
    assert [(each.line_id, each.name, spans(each)) for each in found] == [
        (7, "python", [(HostState.DISPATCH, 10, 15), (HostState.DISPATCH, 30, 35)]),
        (8, "loader", [(HostState.DISPATCH, 20, 25), (HostState.DISPATCH, 40, 45)]),
    ]


def test_threads_of_one_trace_are_never_joined():
    traces = [of_trace((7, "a", 10), (7, "b", 20), (7, "b", 30))]
    assert launched(traces) == [(7, "a", [10]), (7, "b", [20]), (7, "b", [30])]


def test_where_a_trace_has_an_id_twice_names_tell_which_thread_it_is():
    traces = [of_trace((0, "a", 10), (0, "b", 20), (1, "c", 25)), of_trace((0, "b", 30), (0, "a", 40), (1, "d", 50))]
    assert launched(traces) == [(0, "a", [10, 40]), (0, "b", [20, 30]), (1, "c", [25, 50])]


def test_lines_that_nothing_tells_apart_stay_alone():
    traces = [of_trace((0, "a", 10), (0, "a", 20), (0, "b", 25)), of_trace((0, "a", 30), (0, "b", 40))]
    assert launched(traces) == [(0, "a", [10]), (0, "a", [20]), (0, "b", [25, 40]), (0, "a", [30])]


def test_threads_of_other_hosts_are_others():
    one, other = of_trace((7, "python", 10)), [attrs.evolve(each, host=1) for each in of_trace((7, "python", 20))]
    assert [(each.host, each.start_ps.tolist()) for each in joined_threads([one, other])] == [(0, [10]), (1, [20])]


def test_a_profile_in_parts_has_each_thread_once(tmp_path):
    for name, began_ns, event in (("host", 0, "PjitFunction(f)"), ("host.part2", 5, "DevicePut")):
        times = plane("Task Environment", stats=(("profile_start_time", 1_800_000_000_000_000_000 + began_ns),))
        line = Line("python", (FIRST, (event, 10, 5)), id=-7)
        write(tmp_path / f"{name}.xplane.pb", plane("/host:CPU", line), times)
    (found,) = open_profile(tmp_path).host_states
    assert spans(found) == [(HostState.TRANSFER, 5010, 5015), (HostState.DISPATCH, 10, 15)]


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=10))
def test_waits_are_as_if_read_one_mark_after_the_other(tmp_path_factory, marks):
    events = [mark(10 * row + 10, number, ends=ends) for row, (number, ends) in enumerate(marks)]
    file = tmp_path_factory.mktemp("made") / "host.xplane.pb"
    found = open_profile(write(file, plane("/host:CPU", Line("thread", (FIRST, *events))))).host_states
    wanted = []
    for of in range(3):
        mine = [(10 * row + 10, ends) for row, (number, ends) in enumerate(marks) if number == of]
        wanted += [
            (HostState.SYNC, start, end + 2)
            for (start, ended), (end, is_end) in itertools.pairwise(mine)
            if not ended and is_end
        ]
    assert (spans(found[0]) if found else []) == sorted(wanted)

"""The threads that launch programs, whatever traces they are in, and where programs are called."""

from made import xspace
from scopelight.analysis.host.threads.seen import seen_threads
from scopelight.analysis.host.threads.view import host_record
from scopelight.analysis.totals.waiting.launching import call_stack, launching_threads
from scopelight.model.host.states import HostState
from scopelight.model.opening.profile import open_profile
from scopelight.program.hlo.frames import Frame

EPOCH_NS = 1_800_000_000_000_000_000
MAIN, LOADER = -7, 8


def part(path, began_ns, *threads):
    """A trace, begun so many ns after the first; threads are (id, name, events)."""
    lines = (xspace.Line(name, tuple(events), id=line_id) for line_id, name, events in threads)
    times = xspace.plane("Task Environment", stats=(("profile_start_time", EPOCH_NS + began_ns),))
    return xspace.write(path, xspace.plane("/host:CPU", *lines), times)


def in_two_parts(folder):
    launch, waits, puts = ("PjitFunction(step)", 100, 20), ("np.asarray(jax.Array)", 200, 50), ("DevicePut", 120, 30)
    part(folder / "me.xplane.pb", 0, (MAIN, "python", (("begins", 0, 1), launch, waits)), (LOADER, "loader", (puts,)))
    part(folder / "me.part2.xplane.pb", 1, (MAIN, "python", (launch, launch, waits)), (LOADER, "loader", (puts,)))
    return open_profile(folder)


def test_a_thread_that_launches_in_several_traces_is_one(tmp_path):
    (thread,) = launching_threads(in_two_parts(tmp_path))[0]
    assert thread.line_id == MAIN
    assert thread.launches_ps.tolist() == [100, 1100, 1100]
    waits = thread.spans[HostState.SYNC]
    assert (waits.start_ps.tolist(), waits.duration_ps.tolist()) == ([200, 1200], [50, 50])
    assert thread.anywhere[HostState.TRANSFER].start_ps.tolist() == [120, 1120]


def test_the_view_of_threads_has_what_each_was_in_in_all_traces(tmp_path):
    main, loader = host_record(in_two_parts(tmp_path)).threads
    assert (main.name, main.launches, dict(main.states_ps)) == ("python", 2, {"sync": 100, "dispatch": 40})
    assert (loader.name, dict(loader.states_ps)) == ("loader", {"transfer": 60})


def test_lines_of_one_id_in_a_trace_are_threads_of_their_own(tmp_path):
    launch, puts = ("PjitFunction(step)", 100, 20), ("DevicePut", 120, 30)
    file = part(tmp_path / "me.xplane.pb", 0, (0, "a", (("begins", 0, 1), launch)), (0, "b", (puts,)))
    profile = open_profile(file)
    assert [(each.name, each.launches) for each in seen_threads(profile)] == [("a", 1), ("b", 0)]
    one, other = host_record(profile).threads
    assert one.key != other.key
    assert (dict(one.states_ps), dict(other.states_ps)) == ({"dispatch": 20}, {"transfer": 30})


def traced(*frames):
    """A stack from (line, function), innermost first."""
    return tuple(Frame("/home/me/train.py", line, function) for line, function in frames)


CALL = ((36, "main"), (44, "<module>"))
# As jax 0.6 and 0.10 record them, of a function that is mapped over devices.
MAPPED = [
    (),
    traced((7, "loss_of"), (10, "step"), *CALL),
    traced((11, "step"), *CALL),
    traced(*CALL),
]


def test_a_program_is_called_around_its_function():
    assert call_stack("pmap_step", MAPPED) == traced(*CALL)
    assert call_stack("jit_step", [traced((3, "step"), *CALL)]) == traced(*CALL)


def test_a_program_that_jax_calls_otherwise_is_called_where_all_its_stacks_come_from():
    assert call_stack("jit__fun", MAPPED) == traced(*CALL)
    assert call_stack("jit__fun", [traced((6, "<lambda>"), *CALL), ()]) == traced(*CALL)
    assert call_stack("jit_scan", [traced((5, "body"), *CALL), traced(*CALL)]) == traced(*CALL)
    # From two places, and from a line of the function itself, as where names of functions are not known.
    assert call_stack("jit__fun", [traced((5, "f"), (30, "main")), traced((6, "g"), (31, "main"))]) == ()
    assert call_stack("jit_other", [traced((5, ""), (30, "")), traced((6, ""), (30, ""))]) == ()


def test_what_jax_compiles_once_is_called_from_many_places():
    assert call_stack("jit__normal", [traced(*CALL), (), traced(*CALL)]) == ()
    assert call_stack("jit__normal", [(), ()]) == call_stack("jit__normal", []) == ()

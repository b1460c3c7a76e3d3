"""Idle time, cut into pieces: each moment in one of them, of one class and on one stack."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made.host.idle import LIBRARY, LOADER, Thread, at, frame, idle_profile, op, pieces, stands, steps
from made.profiles import spans
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.analysis.totals.waiting.pieces import NONE, SYNC_SLACK_PS
from scopelight.model.host.states import HostState

A, B = op("a", *at(90, 91)), op("b")
STACKS = (at(10), at(20, 21), at(30))
DISPATCH, SYNC, TRANSFER = HostState.DISPATCH, HostState.SYNC, HostState.TRANSFER
NAMES = {
    HostState.COMPILE: "compile",
    HostState.GARBAGE: "garbage-collection",
    HostState.RELEASE: "release",
    HostState.INPUT: "input",
    HostState.CALLBACK: "callback",
    HostState.TRANSFER: "transfer",
    HostState.SYNC: "sync",
    HostState.DISPATCH: "dispatch",
}


def main(*states, stood=None, **more):
    """The thread that launches; where it stood by (start, row of `STACKS`)."""
    return Thread(states=states, stood=None if stood is None else stands(*stood, stacks=STACKS), **more)


def moments(found, device=0):
    """By moment of the idle time of a device its (class, stack, step); moments are in one piece only."""
    by_moment = {}
    for row in np.flatnonzero(found.device == device).tolist():
        start, duration = int(found.start_ps[row]), int(found.duration_ps[row])
        assert duration > 0
        stack = found.stacks[found.stack[row]] if found.stack[row] != NONE else None
        for moment in range(start, start + duration):
            assert moment not in by_moment
            by_moment[moment] = CLASSES[found.kind[row]], stack, int(found.step[row])
    return by_moment


def parts(found):
    """The pieces in order: (start, end, class, stack), equal neighbours as one."""
    listed = []
    for moment, (kind, stack, _) in sorted(moments(found).items()):
        if listed and listed[-1][1:] == [moment, kind, stack]:
            listed[-1][1] += 1
        else:
            listed.append([moment, moment + 1, kind, stack])
    return [tuple(each) for each in listed]


SPAN = st.tuples(st.integers(0, 50), st.integers(1, 12))
STATES = st.lists(st.tuples(st.sampled_from(list(HostState)), SPAN), max_size=6)
ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 45), st.integers(0, 9), st.integers(-1, 3)), max_size=8)


def disjoint(found):
    """Spans of time from (start, duration), those that overlap left out."""
    kept = []
    for start, duration in sorted(found):
        if not kept or start >= kept[-1][1]:
            kept.append((start, start + duration))
    return spans(*kept)


@settings(max_examples=200)
@given(
    ROWS.filter(len),
    st.lists(st.integers(-1, 50), min_size=4, max_size=4),
    STATES,
    st.lists(st.tuples(st.integers(0, 60), st.integers(-1, 2)), max_size=6),
    st.lists(SPAN, max_size=3),
    st.lists(SPAN, max_size=2),
    st.lists(SPAN, max_size=2),
    st.sampled_from(["tpu", "gpu", "cpu"]),
)
def test_each_moment_is_of_the_class_and_on_the_stack_that_was_there(
    rows, launches, states, stood, of_steps, compiling, untraced, kind
):
    rows = sorted(rows)
    until = 60
    # A thread launches what it is known of: one that never did is not looked at.
    states = [(DISPATCH, (0, 1)), *states]
    of_main = [(state, start, start + duration) for state, (start, duration) in states]
    of_steps = disjoint(of_steps)
    profile = idle_profile(
        [(A, start, start + duration) for _, start, duration, _ in rows],
        main(*of_main, stood=sorted(stood, key=lambda each: each[0])),
        duration_ps=until,
        devices=[device for device, *_ in rows],
        runs=[run for *_, run in rows],
        launches=launches,
        compiling=disjoint(compiling),
        untraced=disjoint(untraced),
        kind=kind,
    )
    found = pieces(profile, steps(*zip(of_steps.start_ps, of_steps.start_ps + of_steps.duration_ps, strict=True)))
    for device in {device for device, *_ in rows}:
        mine = [(start, start + duration, run) for of, start, duration, run in rows if of == device]
        truth = Truth(mine, launches, of_main, sorted(stood, key=lambda each: each[0]), kind == "cpu")
        got = moments(found, device)
        assert set(got) == {each for each in range(until) if not any(start <= each < end for start, end, _ in mine)}
        for moment, (name, stack, step) in got.items():
            wanted, wanted_stack = truth.of(moment)
            if inside(profile.untraced, moment):
                wanted = "untraced"
            elif inside(profile.compiling, moment):
                wanted = "compile"
            assert name == wanted
            assert stack == wanted_stack
            assert step == next((row for row in range(len(of_steps.start_ps)) if inside(of_steps, moment, row)), NONE)


def inside(of, moment, row=None):
    return any(
        start <= moment < start + duration
        for place, (start, duration) in enumerate(zip(of.start_ps, of.duration_ps, strict=True))
        if row in (None, place)
    )


class Truth:
    """What a device waited for, looked up moment by moment."""

    def __init__(self, rows, launches, states, stood, is_on_the_host):
        self.rows, self.launches, self.states, self.stood = rows, launches, states, stood
        self.is_on_the_host = is_on_the_host
        self.launched = sorted(start for state, start, _ in states if state == DISPATCH)

    def stack(self, moment):
        row = next((row for start, row in reversed(self.stood) if start <= moment), NONE)
        return STACKS[row] if row != NONE else None

    def open(self, moment):
        return {state for state, start, end in self.states if start <= moment < end}

    def of(self, moment):
        worked = [(start, end) for start, end, _ in self.rows if end > start]
        begun = max((end for _, end in worked if end <= moment), default=0)
        ended = min((start for start, _ in worked if start > moment), default=60)
        # What takes no time ends no gap, but it may be the first thing where one ends.
        run = next((run for start, _, run in self.rows if start >= ended), -1)
        is_last = all(start < ended for start, *_ in self.rows)
        first = min((start for start, _, of in self.rows if of == run), default=None) if run >= 0 else None
        is_inside = run >= 0 and first < begun
        launch = self.launches[run] if run >= 0 else NONE
        if run >= 0 and launch < 0:
            launch = next((each for each in reversed(self.launched) if each <= first), NONE)
        if self.is_on_the_host:
            is_late = is_last or any(begun <= each <= ended for each in self.launched)
        else:
            is_late = not is_inside and (launch < 0 or launch >= begun)
        if is_late:
            kind = NAMES[min(self.open(moment))] if self.open(moment) else "python"
        else:
            open_now = self.open(moment)
            kind = "callback" if HostState.CALLBACK in open_now else "transfer" if TRANSFER in open_now else "runtime"
        return kind, self.stack(moment if is_late or self.is_on_the_host or launch < 0 else launch)


@pytest.mark.parametrize("state", list(HostState))
def test_a_class_is_that_of_the_state_that_counts_first(state):
    states = [(each, 20, 30) for each in HostState if each >= state]
    profile = idle_profile([(B, 0, 10), (B, 40, 50)], main((DISPATCH, 38, 40), *states), duration_ps=50)
    assert parts(pieces(profile)) == [
        (10, 20, "python", None),
        (20, 30, NAMES[state], None),
        (30, 38, "python", None),
        (38, 40, "dispatch", None),
    ]


def test_collections_of_the_launching_thread_count_as_such():
    thread = main((DISPATCH, 38, 40), (SYNC, 12, 40), garbage=((20, 25),))
    found = parts(pieces(idle_profile([(B, 0, 10), (B, 40, 50)], thread, duration_ps=50)))
    assert found[1:4] == [(12, 20, "sync", None), (20, 25, "garbage-collection", None), (25, 40, "sync", None)]


def test_what_jax_lets_go_of_is_told_apart_from_what_python_collects():
    thread = main((DISPATCH, 38, 40), (HostState.RELEASE, 12, 15), garbage=((14, 16), (20, 25)))
    found = parts(pieces(idle_profile([(B, 0, 10), (B, 40, 50)], thread, duration_ps=50)))
    told = {name: [(start, end) for start, end, kind, _ in found if kind == name] for name in NAMES.values()}
    # Python's collector asks jax for what it can let go of, which is part of the collection then.
    assert (told["garbage-collection"], told["release"]) == ([(14, 16), (20, 25)], [(12, 14)])


def test_who_waits_while_another_thread_moves_data_to_an_idle_device_waits_for_that():
    mover = Thread(9, "tf_XLAPjRtCpuClient", states=((TRANSFER, 15, 25), (TRANSFER, 32, 34)))
    profile = idle_profile([(B, 0, 10), (B, 40, 50)], main((SYNC, 12, 30), (DISPATCH, 38, 40)), mover, duration_ps=50)
    assert parts(pieces(profile))[:6] == [
        (10, 12, "python", None),
        (12, 15, "sync", None),
        (15, 25, "transfer", None),
        (25, 30, "sync", None),
        (30, 38, "python", None),
        (38, 40, "dispatch", None),
    ]


def test_what_was_launched_before_waits_for_the_runtime_on_the_line_of_its_launch():
    thread = main((DISPATCH, 4, 6), (TRANSFER, 15, 18), stood=[(0, 0), (5, 1), (8, 2)])
    profile = idle_profile([(B, 0, 10), (B, 20, 30)], thread, duration_ps=30, runs=[0, 1], launches=[-1, 5])
    assert parts(pieces(profile)) == [
        (10, 15, "runtime", STACKS[1]),
        (15, 18, "transfer", STACKS[1]),
        (18, 20, "runtime", STACKS[1]),
    ]


def test_a_gap_within_a_run_is_of_the_op_that_it_waits_for():
    rows = [(B, 0, 10), (A, 15, 20)]
    found = pieces(idle_profile(rows, main((DISPATCH, 0, 1)), duration_ps=20, runs=[0, 0], launches=[0]))
    assert (found.op.tolist(), CLASSES[found.kind[0]]) == ([1], "runtime")
    on_the_host = pieces(
        idle_profile(rows, main((DISPATCH, 0, 1)), duration_ps=20, runs=[0, 0], launches=[0], kind="cpu")
    )
    assert on_the_host.op.tolist() == [NONE], "what holds it up there is what else the cores do"


def test_without_a_thread_that_launches_it_is_not_known_why_a_device_waits():
    found = pieces(idle_profile([(B, 0, 10), (B, 20, 30)], duration_ps=40))
    assert parts(found) == [(10, 20, "unknown", None), (30, 40, "unknown", None)]


def test_where_the_script_stands_is_told_of_samples_too_and_between_them_it_is_where_it_was():
    thread = Thread(states=((DISPATCH, 38, 40),), stood=stands((12, 0), (20, NONE), stacks=STACKS, is_exact=False))
    found = pieces(idle_profile([(B, 0, 10), (B, 40, 50)], thread, duration_ps=50))
    assert parts(found) == [(10, 38, "python", STACKS[0]), (38, 40, "dispatch", STACKS[0])]
    assert not found.is_exact.any()


def test_exact_stands_are_not_stretched():
    found = pieces(idle_profile([(B, 0, 10), (B, 40, 50)], main((DISPATCH, 38, 40), stood=[(20, 1)]), duration_ps=50))
    assert parts(found)[0] == (10, 20, "python", None)


def test_a_program_is_launched_where_its_ops_say_if_nothing_was_recorded():
    traced = op("add", frame(3, "step"), frame(50, "train"))
    profile = idle_profile(
        [(traced, 0, 10), (traced, 40, 50)], main((DISPATCH, 30, 40)), duration_ps=50, has_record=False
    )
    assert parts(pieces(profile)) == [(10, 30, "unknown", None), (30, 40, "dispatch", (frame(50, "train"),))]


def test_without_a_record_of_the_host_it_is_not_known_what_its_python_is():
    thread = main((TRANSFER, 15, 20), (DISPATCH, 30, 40))
    found = {
        has_record: parts(
            pieces(idle_profile([(B, 0, 10), (B, 40, 50)], thread, duration_ps=50, has_record=has_record))
        )
        for has_record in (False, True)
    }
    assert found[False] == [
        (10, 15, "unknown", None),
        (15, 20, "transfer", None),
        (20, 30, "unknown", None),
        (30, 40, "dispatch", None),
    ]
    assert [kind for _, _, kind, _ in found[True]] == ["python", "transfer", "python", "dispatch"]


def test_a_gap_is_of_the_thread_that_launched_what_ended_it():
    one = Thread(1, states=((DISPATCH, 18, 20), (SYNC, 30, 40)), stood=stands((0, 0), stacks=STACKS))
    other = Thread(2, states=((DISPATCH, 38, 40), (TRANSFER, 10, 20)), stood=stands((0, 1), stacks=STACKS))
    profile = idle_profile([(B, 0, 10), (B, 20, 30), (B, 40, 50)], one, other, duration_ps=50)
    assert parts(pieces(profile)) == [
        (10, 18, "python", STACKS[0]),
        (18, 20, "dispatch", STACKS[0]),
        (30, 38, "python", STACKS[1]),
        (38, 40, "dispatch", STACKS[1]),
    ]


def test_threads_of_the_runtime_that_launch_for_those_of_python_are_not_looked_at():
    runtime = Thread(99, states=((DISPATCH, 0, 50),) * 3)
    profile = idle_profile([(B, 0, 10), (B, 40, 50)], main((DISPATCH, 38, 40)), runtime, duration_ps=50)
    del profile.host_records()[0].threads[99]
    assert parts(pieces(profile))[0] == (10, 38, "python", None)


def opened(found):
    return [found.stacks[row] if row != NONE else None for row in found.opened.tolist()]


@pytest.mark.parametrize(("late", "is_it"), [(0, True), (SYNC_SLACK_PS, True), (SYNC_SLACK_PS + 1, False)])
def test_a_wait_for_a_result_that_ends_as_a_gap_begins_exposes_it(late, is_it):
    begin, end = 10**9, 2 * 10**9
    thread = main((SYNC, 10, begin - late), (DISPATCH, end - 5, end), stood=[(0, 1), (begin - late + 1, 2)])
    found = pieces(idle_profile([(B, 0, begin), (B, end, end + 10)], thread, duration_ps=end + 10))
    assert set(opened(found)) == ({STACKS[1]} if is_it else {None}), "all of the gap, whatever it is on"


def test_a_gap_that_was_launched_before_is_exposed_by_no_wait():
    begin, end = 10**9, 2 * 10**9
    thread = main((SYNC, 10, begin), (DISPATCH, 5, 8), stood=[(0, 1)])
    profile = idle_profile(
        [(B, 0, begin), (B, end, end + 10)], thread, duration_ps=end + 10, runs=[0, 1], launches=[0, 5]
    )
    assert opened(pieces(profile)) == [None]


SOURCE = [
    "def train(batches):",
    "    for batch in batches:",
    "        params = step(params, batch)",
    "        print(params)",
]


def test_python_on_a_line_that_feeds_the_steps_is_input():
    places = (at(2), at(3), at(4))
    traced = op("add", frame(9, "step"), frame(3))
    thread = Thread(
        states=((DISPATCH, 36, 40), (SYNC, 30, 32)), stood=stands((0, 1), (12, 2), (20, 0), (36, 1), stacks=places)
    )
    profile = idle_profile([(traced, 0, 10), (traced, 40, 50)], thread, duration_ps=50, runs=[0, 1], launches=[0, 36])
    found = pieces(profile, source=SOURCE)
    assert parts(found) == [
        (10, 12, "python", at(3)),
        (12, 20, "python", at(4)),
        (20, 30, "input", at(2)),
        (30, 32, "sync", at(2)),
        (32, 36, "input", at(2)),
        (36, 40, "dispatch", at(3)),
    ]
    assert found.duration_ps[found.feeds].sum() == 16, "of whatever class"


def test_a_line_that_waits_for_arrays_by_its_name_does_so_where_the_trace_has_no_event_of_it():
    source = ["", "jax.block_until_ready(params)", "y = work()  # not x.block_until_ready()", "step(params)"]
    traced = op("add", frame(9, "step"), frame(4))
    thread = Thread(states=((DISPATCH, 36, 40),), stood=stands((0, 0), (25, 1), (36, 2), stacks=(at(2), at(3), at(4))))
    mover = Thread(9, "tf_XLAPjRtCpuClient", states=((TRANSFER, 15, 20), (TRANSFER, 28, 30)))
    profile = idle_profile(
        [(traced, 0, 10), (traced, 40, 50)], thread, mover, duration_ps=50, runs=[0, 1], launches=[0, 36]
    )
    assert parts(pieces(profile, source=source)) == [
        (10, 15, "sync", at(2)),
        (15, 20, "transfer", at(2)),
        (20, 25, "sync", at(2)),
        (25, 36, "python", at(3)),
        (36, 40, "dispatch", at(4)),
    ]


def test_a_line_on_which_samples_are_in_a_queue_feeds_the_steps_whatever_its_text_says():
    get = frame(171, "Queue.get", LIBRARY)
    call, run = frame(2), frame(3)
    thread = Thread(
        states=((DISPATCH, 36, 40),),
        stood=stands((0, 0), (36, 1), stacks=((call,), (run,))),
        samples=((get, call), (get, call), (call,)),
    )
    traced = op("add", frame(9, "step"), run)
    profile = idle_profile([(traced, 0, 10), (traced, 40, 50)], thread, duration_ps=50, runs=[0, 1], launches=[0, 36])
    assert parts(pieces(profile))[0] == (10, 36, "input", (call,))


def test_what_jax_does_for_a_launch_or_for_a_result_feeds_no_steps_where_samples_see_it():
    """Line events see the user's lines alone, samples what these call as well: both must say the same."""
    jax = "/venv/lib/python3.11/site-packages/jax/_src"
    put, mapped = (
        frame(233, "batched_device_put", f"{jax}/pxla.py"),
        frame(319, "pmap.<locals>.wrapped", f"{jax}/pmap.py"),
    )
    item = frame(342, "ArrayImpl.__getitem__", f"{jax}/array.py")
    wrapper = frame(8, "JitWrapped.__call__", "/venv/lib/python3.11/site-packages/flax/nnx/compilation.py")
    collate = frame(9, "collate", "/venv/lib/python3.11/site-packages/numpy/lib.py")
    own, run, read = frame(5, "load", LOADER), frame(3), frame(4)
    stacks = ((item, read), (put, mapped, run), (mapped, wrapper, run), (put, own, run), (collate, run))
    stood = stands((0, 0), (12, 1), (14, 2), (16, 3), (19, 4), is_exact=False, stacks=stacks)
    thread = Thread(states=((DISPATCH, 36, 40),), stood=stood, samples=stacks)
    traced = op("add", frame(9, "step"), run)
    profile = idle_profile([(traced, 0, 10), (traced, 40, 50)], thread, duration_ps=50, runs=[0, 1], launches=[0, 36])
    source = [*SOURCE[:2], "        params = step(params, collate(load(batch)))", *SOURCE[3:]]
    found = pieces(profile, source=source)
    fed = {stack for stack, feeds in zip(found.stack.tolist(), found.feeds.tolist(), strict=True) if feeds}
    assert {found.stacks[each] for each in fed} == {stacks[3], stacks[4]}


def test_generators_feed_the_steps():
    inner, call, run = frame(5, "batches", LOADER), frame(2), frame(3)
    thread = Thread(states=((DISPATCH, 36, 40),), stood=stands((0, 0), (36, 1), stacks=((inner, call), (run,))))
    traced = op("add", frame(9, "step"), run)
    rows = [(traced, 0, 10), (traced, 40, 50)]
    for generators, kind in (((), "python"), (((LOADER, "batches"),), "input")):
        profile = idle_profile(rows, thread, duration_ps=50, runs=[0, 1], launches=[0, 36], generators=generators)
        assert parts(pieces(profile))[0][2] == kind


def test_other_threads_of_python_are_kept_for_what_they_did_meanwhile():
    loader = Thread(8, "loader", stood=stands((0, 0), stacks=(at(7),)))
    unseen = Thread(9, "unseen")
    found = pieces(idle_profile([(B, 0, 10)], main((DISPATCH, 0, 1)), loader, unseen, duration_ps=20))
    assert [each.name for each in found.others] == ["loader"]

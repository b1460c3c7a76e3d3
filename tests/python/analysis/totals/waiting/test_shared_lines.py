"""Lines that do several things: which of the functions that are called from them feed the steps."""

import numpy as np
import pytest

from made.host.idle import LIBRARY, LOADER, TRAIN, Thread, frame, idle_profile, op, stands, user_frames
from made.host.idle import steps as steps_of
from scopelight.analysis.totals.waiting.pieces import pieces_of
from scopelight.model.host.states import HostState
from scopelight.program.hlo.frames import Frame

GET = frame(171, "Queue.get", LIBRARY)
NUMPY = Frame("/venv/lib/python3.12/site-packages/numpy/io.py", 5, "load")


def called(name, line=3, path=LOADER):
    return frame(line, name, path)


def fed(text, *inner, step="        state = step(state, x)", samples=(), is_exact=True):
    """Of stacks above the line of ``text`` in the loop, whether each of them feeds the steps."""
    source = ["def train():", "    for i in range(9):", f"        {text}", step, "        log(state)"]
    at_step = frame(3) if step == "" else frame(4)
    stacks = [(*each, frame(3)) for each in inner]
    rows = [(12 + 2 * row, row) for row in range(len(stacks))]
    stood = stands((0, len(stacks)), *rows, (36, len(stacks)), stacks=[*stacks, (at_step,)], is_exact=is_exact)
    sampled = [(*each, frame(3)) for each in samples] + ([] if is_exact else stacks)
    thread = Thread(states=((HostState.DISPATCH, 36, 40),), stood=stood, samples=sampled)
    traced = op("add", frame(9, "step"), at_step)
    profile = idle_profile([(traced, 0, 10), (traced, 40, 50)], thread, duration_ps=50, runs=[0, 1], launches=[0, 36])
    lines = {TRAIN: source}
    found = pieces_of(
        profile,
        steps_of((0, 50)),
        user_frames(),
        lambda file, line: dict(enumerate(lines.get(file, []), 1)).get(line),
    )
    feeds = {found.stacks[stack] for stack in found.stack[found.feeds].tolist()}
    return [stack in feeds for stack in stacks]


@pytest.mark.parametrize("is_exact", [True, False])
def test_of_two_statements_the_functions_of_the_one_that_flows_into_the_step_feed_it(is_exact):
    text = "clock.mark('next'); x = load(i)"
    assert fed(text, [called("Clock.mark")], [called("load")], is_exact=is_exact) == [False, True]


def test_a_queue_that_is_taken_from_beside_something_else_feeds_the_steps_and_the_other_does_not():
    text = "clock.mark('next'); x = q.get()"
    assert fed(text, [called("mark")], [], samples=[[GET]] * 3) == [False, True]
    assert fed(text, [called("mark")], [GET], is_exact=False) == [False, True]


def test_what_else_stands_on_the_line_of_the_call_is_no_argument_of_it():
    stacks = [called("work")], [called("load")]
    assert fed("work(); state = step(state, load(i))", *stacks, step="") == [False, True]
    assert fed("work(); x = state = step(state)", [called("work")], step="") == [False]
    assert fed("losses.append(report(step(load(i))))", [called("report")], [called("load")], step="") == [False, True]


def test_on_a_line_that_holds_the_step_what_flows_into_it_feeds_it():
    text = "x = load(i) if i else X; state = step(state, x); report(state)"
    assert fed(text, [called("load")], [called("report")], step="") == [True, False]
    text = "x = prepare(i); state = run(state, x); print(state)"
    assert fed(text, [called("load")], step="") == fed(text, [called("prepare")], step="") == [True]


def test_what_a_line_has_traced_is_no_data():
    stacks = [called("load")], [called("<lambda>")], [called("model")], []
    assert fed("x = load(jax.eval_shape(lambda y: model(y), x))", *stacks) == [True, False, False, False]
    assert fed("x = make(jax.make_jaxpr(f)(x))", [called("f.<locals>.g")], [called("make")]) == [False, True]


def test_what_the_line_itself_does_is_what_it_calls_that_no_stack_has():
    mark = [called("mark")]
    assert fed("mark(); x = np.sort(y)", mark, []) == [False, True]
    assert fed("began = time.perf_counter(); x = np.sort(y)", []) == [True]
    assert fed("i += 1; x = np.sort(y)", []) == [True]
    assert fed("x = load(i); time.sleep(1)", [called("load")], []) == [True, False]


def test_where_samples_see_more_they_tell():
    text = "time.sleep(1); x = np.load(y)"
    assert fed(text, []) == [False]
    assert fed(text, [], samples=[[NUMPY], []]) == [True]
    sleep = Frame("/venv/lib/python3.12/site-packages/slow.py", 5, "sleep")
    assert fed(text, [], samples=[[NUMPY], [sleep], [sleep]]) == [False]


def test_functions_that_go_by_other_names_are_what_else_the_line_calls():
    stacks = [called("mark")], [called("<lambda>")], [called("decode.<locals>.wrapped")]
    assert fed("mark(); x = prepare(i)", *stacks) == [False, True, True]
    assert fed("handler(); x = load(i)", [called("report")], [called("load")]) == [False, True]
    # Of either statement.
    assert fed("handler(); x = prepare(i)", [called("report")]) == [False]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mark(); x = dataset[i]", "Dataset.__getitem__"),
        ("mark(); x = loader.batch", "Loader.batch"),
        ("mark(); x = f'{load(i)}'", "load"),
        ("mark(); x = table[load(i)]", "load"),
        ("mark(); x = next(it)", "Loader.__next__"),
        ("mark(); x = [load(each) for each in y]", "load"),
        ("mark(); x = (lambda: y)()", "<lambda>"),
    ],
)
def test_what_the_syntax_calls(text, name):
    assert fed(text, [called("mark")], [called(name)]) == [False, True]


@pytest.mark.parametrize("own", ["<listcomp>", "<genexpr>"])
def test_a_comprehension_belongs_to_its_line(own):
    inside = called(f"train.<locals>.{own}", path=TRAIN)
    stacks = [called("mark")], [called("load"), inside], [inside]
    assert fed("mark(); x = [load(each) for each in y]", *stacks) == [False, True, True]


def test_what_is_defined_on_a_line_is_not_called_there():
    assert fed("mark(); x = make(lambda: 5)", [called("mark")], [called("make")]) == [False, True]


def test_generators_beside_the_step_feed_nothing():
    source = ["def train():", "    for x in batches:", "        s = step(s, x)", "        print(sum(f(v) for v in s))"]
    inside, launch = (frame(4, "train.<locals>.<genexpr>"), frame(4)), (frame(3),)
    stood = stands((0, 1), (12, 0), (36, 1), stacks=[inside, launch])
    thread = Thread(states=((HostState.DISPATCH, 36, 40),), stood=stood)
    traced = op("add", frame(9, "step"), frame(3))
    profile = idle_profile(
        [(traced, 0, 10), (traced, 40, 50)],
        thread,
        duration_ps=50,
        runs=[0, 1],
        launches=[0, 36],
        generators=[(TRAIN, "train.<locals>.<genexpr>")],
    )
    text = dict(enumerate(source, 1)).get
    found = pieces_of(profile, steps_of((0, 50)), user_frames(), lambda _, line: text(line))
    assert not np.any(found.feeds)

"""What jax calls to make programs of it is no input, however it is seen."""

import pytest

from made.host.idle import LOADER, TRAIN, Thread, frame, idle_profile, op, stands, user_frames
from made.host.idle import steps as steps_of
from scopelight.analysis.totals.waiting.pieces import pieces_of
from scopelight.analysis.totals.waiting.tracing import functions_only_traced, is_tracing
from scopelight.model.host.states import HostState
from scopelight.program.hlo.frames import Frame

JAX = "/venv/lib/python3.12/site-packages/jax/_src"
TRACE = Frame(f"{JAX}/interpreters/partial_eval.py", 2300, "trace_to_jaxpr_dynamic")
CALL = Frame(f"{JAX}/api.py", 180, "jit.<locals>.reraise")
SOURCE = ["def train():", "    for i in range(9):", "        state = step(state, PREPARE(i))"]
LINE = frame(3)
LOSS, LOAD = frame(7, "step.<locals>.loss", LOADER), frame(20, "load", LOADER)


def fed(stack, *, name="step", is_exact=True, at=12, dispatch=(30, 40), source=SOURCE):
    """Whether a stack that is entered at a moment feeds the steps, by a program whose op is of a function."""
    stood = stands((0, 1), (at, 0), (at + 4, 1), stacks=[stack, (LINE,)], is_exact=is_exact)
    thread = Thread(states=((HostState.DISPATCH, *dispatch),), stood=stood, samples=(stack,))
    traced = op("add", frame(8, name, LOADER), LINE)
    profile = idle_profile([(traced, 0, 10), (traced, 40, 50)], thread, duration_ps=50, runs=[0, 1], launches=[0, 30])
    text = dict(enumerate(source, 1)).get
    found = pieces_of(
        profile, steps_of((0, 50)), user_frames(), lambda file, line: text(line) if file == TRAIN else None
    )
    rows = [row for row, each in enumerate(found.stack.tolist()) if each >= 0 and found.stacks[each] == stack]
    assert rows
    return bool(found.feeds[rows].any())


def test_what_is_called_in_an_argument_of_the_step_feeds_it():
    assert fed((LOAD, LINE))
    assert fed((LOAD, LINE), is_exact=False)


@pytest.mark.parametrize("inner", [(), (LOSS,)])
def test_a_function_that_a_program_is_called_after_is_traced(inner):
    # The program is jit_step; who traces it is an argument of the call.
    stack = (*inner, frame(8, "step", LOADER), frame(12, "PREPARE", LOADER), LINE)
    assert not fed(stack)
    assert not fed(stack, is_exact=False)
    assert fed(stack, name="add")


def test_what_is_entered_within_a_launch_is_traced_in_it():
    assert not fed((LOSS, LINE), at=32)
    assert fed((LOSS, LINE), at=12)
    # A launch that ends before it has nothing to do with it.
    assert fed((LOSS, LINE), at=14, dispatch=(10, 13))


@pytest.mark.parametrize(
    "within", [(TRACE, CALL), (Frame(f"{JAX}/interpreters/mlir.py", 900, "lower_jaxpr_to_module"), CALL), (TRACE,)]
)
def test_what_samples_see_under_jaxs_tracing(within):
    assert not fed((LOSS, *within, LINE), is_exact=False)
    helper = frame(9, "helper", LOADER)
    assert not fed((LOSS, *within, helper, LINE), is_exact=False)


def test_functions_that_samples_see_under_tracing_alone():
    # Line events do not tell of jax.
    helper = frame(12, "PREPARE", LOADER)
    sampled = [(LOSS, TRACE, helper, LINE), (LOAD, TRACE, LINE), (LOAD, LINE), (frame(5, "<lambda>"), TRACE, LINE)]
    assert functions_only_traced(sampled, user_frames()) == {(LOADER, LOSS.function)}


def test_what_jax_computes_while_it_differentiates_is_no_tracing():
    computing = Frame(f"{JAX}/interpreters/partial_eval.py", 500, "trace_to_jaxpr_nounits")
    assert not is_tracing(computing)
    assert is_tracing(TRACE)


def test_a_step_that_is_given_nothing_by_a_call_calls_only_itself():
    source = [*SOURCE[:2], "        state = step(state, x)"]
    assert not fed((frame(8, "anything", LOADER), LINE), source=source)

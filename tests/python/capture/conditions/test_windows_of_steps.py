"""Windows that begin and end with steps of a script, held against the times that the script wrote down itself."""

import json
from pathlib import Path

import attrs
import pytest

from scopelight.analysis.steps.steps import find_steps
from scopelight.model.opening.profile import open_profile

SCRIPT = """
import sys, time
import jax, jax.numpy as jnp

train_step = jax.jit(lambda x: jnp.tanh(x @ x) / 3)

def loader():
    for number in range(40):
        time.sleep(0.001)
        yield jnp.ones((50, 50)) * number

ANNOTATES, SLOW = sys.argv[1] == "annotates", {int(each) for each in sys.argv[2:]}
x, step, steps = jnp.ones((50, 50)), 0, []
for epoch in range(15 if SLOW else 5):
    for batch in loader():
        if ANNOTATES:
            with jax.profiler.StepTraceAnnotation("train", step_num=step):
                began = time.time()
                x = train_step(x + batch).block_until_ready()
                ended = time.time()
        else:
            began = time.time()
            x = train_step(x + batch).block_until_ready()
            ended = time.time()
        time.sleep(0.4 if step in SLOW else 0.004)
        steps.append((epoch, began, ended))
        step += 1
open("truth.txt", "w").write(repr(steps))
"""


@attrs.frozen
class Truth:
    """What the script wrote down: of each step its epoch, and when it was computed; ``out`` is its run directory."""

    steps: list
    out: Path

    def inside(self, window):
        """The steps that were computed in a window."""
        began, closed = window["started_ns"] / 1e9, window["closed_ns"] / 1e9
        # The last one comes back to the script only when the window is closed.
        return [number for number, (_, start, _) in enumerate(self.steps) if began <= start < closed]


@pytest.fixture
def capture(bench):
    """Capture the script: its windows, and the truth."""
    bench.write("train.py", SCRIPT)

    def capture_it(*arguments, **options):
        captured = bench.capture("train.py", *arguments, **options)
        assert captured.returncode == 0, captured.stderr
        truth = Truth(
            json.loads((bench.folder / "truth.txt").read_text().replace("(", "[").replace(")", "]")), captured.out
        )
        return captured.run, truth

    return capture_it


def codes(run):
    return [each["code"] for each in run["findings"]]


@pytest.mark.parametrize("annotates", ["annotates", "does-not"])
def test_a_window_holds_the_steps_that_were_asked_for_and_no_other(capture, annotates):
    run, truth = capture(annotates, from_step=60, steps=10)
    (window,) = run["windows"]
    assert (window["first_step"], window["last_step"]) == (60, 69)
    assert truth.inside(window) == list(range(60, 70))
    assert codes(run) == []
    if annotates == "does-not":
        # From the end of one call to that of the next, each with the pauses before it.
        seconds = find_steps(open_profile(truth.out)).duration_ps / 1e12
        assert len(seconds) == 10
        assert seconds.min() > 0.005
        # The last one comes back to the script when the window is closed.
        assert seconds[1:-1].sum() == pytest.approx(truth.steps[68][2] - truth.steps[60][2], rel=0.1)


@pytest.mark.parametrize("steps", [1, 2])
def test_one_step_or_two_are_steps_however_seldom_they_repeat(capture, steps):
    run, truth = capture("does-not", from_step=60, steps=steps)
    assert run["window"]["complete_steps"] == steps
    assert len(find_steps(open_profile(truth.out))) == steps


def test_every_so_many_steps_there_is_a_window(capture):
    run, truth = capture("does-not", every=60, steps=4)
    assert [window["first_step"] for window in run["windows"]] == [60, 120, 180]
    assert [truth.inside(each) for each in run["windows"]] == [list(range(n, n + 4)) for n in (60, 120, 180)]
    assert len({each["session"] for each in run["windows"]}) == 3


def test_an_epoch_that_the_script_marks_begins_with_its_first_step(bench):
    if bench.plain("-c", "import scopelight").returncode != 0:
        pytest.skip("the script says itself where an epoch begins, and its Python has no scopelight")
    bench.write(
        "train.py",
        """
        import time
        import jax, jax.numpy as jnp, scopelight

        train_step = jax.jit(lambda x: jnp.tanh(x @ x) / 3)
        x = jnp.ones((50, 50))
        for number in range(4):
            scopelight.epoch()
            count = 0
            while count < 40:
                x = train_step(x).block_until_ready()
                time.sleep(0.005)
                count += 1
        """,
    )
    captured = bench.capture("train.py", epoch=2, steps=3)
    window = captured.run["window"]
    assert (window["first_step"], window["last_step"], window["epoch"]) == (80, 82, 2)


@pytest.mark.parametrize("annotates", ["annotates", "does-not"])
def test_an_epoch_begins_where_the_loop_over_batches_begins_anew(capture, annotates):
    run, truth = capture(annotates, epoch=2, steps=3)
    (window,) = run["windows"]
    steps = truth.inside(window)
    assert steps == [80, 81, 82]
    assert {truth.steps[each][0] for each in steps} == {2}


def test_slow_steps_are_in_the_windows_that_are_kept(capture):
    # Not before it is known how long a step takes.
    slow = (300, 350, 400, 470, 530)
    # A machine that is busy with other things makes steps a few times slower: only the pauses are to count.
    run, truth = capture("does-not", *map(str, slow), slow_ratio=12.0, slow_by="ring", most_cost_ratio=1.0)
    assert len(truth.steps) > slow[-1]
    for window in run["windows"]:
        assert set(window["slow_steps"]) <= set(range(window["first_step"], window["last_step"] + 1))
    # The pause is between the call that it follows and the next, which it makes slow.
    caught = {step for window in run["windows"] for step in window["slow_steps"]}
    assert len({each + 1 for each in slow} & caught) >= 4
    for window in run["windows"]:
        if set(window["slow_steps"]) & {each + 1 for each in slow}:
            assert find_steps(open_profile(truth.out / window["session"])).duration_ps.max() > 0.35e12
    (told,) = [each["values"] for each in run["findings"] if each["code"] == "slow-steps-sought"]
    assert told["traced"] > 0.5 * told["steps"]


@pytest.mark.parametrize("annotates", ["annotates", "does-not"])
def test_a_step_that_is_slow_before_it_is_known_which_the_steps_are_is_in_a_window(capture, annotates):
    run, truth = capture(annotates, "40", slow_ratio=12.0, slow_by="ring", most_cost_ratio=1.0)
    (window,) = [each for each in run["windows"] if {40, 41} & set(each["slow_steps"])]
    inside = set(truth.inside(window))
    assert set(range(window["first_step"], window["last_step"] + 1)) <= inside | {min(inside) - 1, max(inside) + 1}
    paused_from, paused_to = truth.steps[40][2], truth.steps[41][1]
    # A probe may end within the pause.
    assert window["started_ns"] / 1e9 < paused_from
    assert window["closed_ns"] / 1e9 - paused_from > 0.4 * (paused_to - paused_from)


def test_what_a_script_does_not_reach_is_said(capture):
    run, _ = capture("does-not", from_step=1000)
    assert codes(run) == ["step-not-reached"]
    run, _ = capture("does-not", from_step=190, steps=71)
    (window,) = run["windows"]
    assert (window["first_step"], window["last_step"]) == (190, 199)
    assert "steps-left-out" in codes(run)


def test_a_window_that_reaches_its_limit_says_what_it_left_out(capture):
    run, truth = capture("does-not", from_step=60, steps=101, most_seconds=0.2)
    (window,) = run["windows"]
    assert window["seconds"] < 0.4
    left_out = next(each["values"] for each in run["findings"] if each["code"] == "steps-left-out")
    assert left_out["captured"] == len(truth.inside(window)) == 101 - left_out["left_out"]

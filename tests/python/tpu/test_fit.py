"""Whether programs fit is what the compiler says, for each kind of TPU, and what is said to save memory saves it."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from made import scripts
from made.scripted_agent import MOST_CALLS, ScriptedAgent
from scopelight.analysis.memory.fit.view import fit
from scopelight.analysis.memory.options import FitOptions
from scopelight.analysis.subject import Subject
from scopelight.capture.tpu_compiler.topologies import GENERATIONS
from scopelight.formats.out_of_memory_message import read_out_of_memory
from scopelight.model.devices.table import device_model
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.prediction import read_prediction
from scopelight.report.numbers import byte_size
from scopelight.source.workspace import line_options

ONCE = Path(scripts.__file__).with_name("preflight_once.py")
WORKLOADS = Path(__file__).parents[2] / "workloads" / "preflight"
TIMEOUT_SECONDS = 300
GIBIBYTE = 1 << 30
TARGETS = ("v2-8", "v3-8", "v4-8", "v5e-8", "v5p-8", "v6e-8", "tpu7x-8")
TOO_LARGE = """
import jax, jax.numpy as jnp
step = jax.jit(lambda x: x + 1)
x = jnp.zeros((1 << 30, 64))
step(x)
"""
STEP = """
import functools
import jax, jax.numpy as jnp

WIDTH, LAYERS = 8192, 32

def layer(weight, x):
    return jnp.sin(x @ weight)

def loss(weights, x):
    for weight in weights:
        x = {layer}(weight, x)
    return jnp.sum(x)

@functools.partial(jax.jit, donate_argnums={donated})
def step(weights, x):
    gradients = jax.grad(loss)(weights, x)
    return [weight - 0.01 * gradient for weight, gradient in zip(weights, gradients)]

weights = jax.jit(lambda: [jnp.ones((WIDTH, WIDTH)) for _ in range(LAYERS)])()
x = jnp.ones((2 * WIDTH, WIDTH))
for _ in range(3):
    weights = step(weights, x)
"""


@pytest.fixture
def preflight(tpu_python, tmp_path):
    """``preflight(target, text)``: the run of a script of this text, predicted."""
    environment = Path(tpu_python).parents[1]

    def predict(target, text, name="script"):
        (tmp_path / f"{name}.py").write_text(text)
        command = [sys.executable, ONCE, environment, tmp_path / name, target, f"{name}.py"]
        ran = subprocess.run(
            list(map(str, command)), cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return tmp_path / name

    return predict


def fitted(run):
    profile = open_profile(run)
    return fit(Subject.of(profile, line_options(profile)), FitOptions())


def test_each_kind_has_a_target():
    assert len(TARGETS) == len(GENERATIONS)


@pytest.mark.parametrize("target", TARGETS)
def test_what_there_is_for_programs_is_what_the_compiler_says(preflight, target):
    run = preflight(target, TOO_LARGE)
    prediction = read_prediction(run)
    # To make the array, and to use it.
    no_room = [each for each in prediction.programs if each.outcome == "no-room"]
    assert no_room
    for each in no_room:
        assert read_out_of_memory(each.message).limit_bytes == each.available_bytes
        assert each.available_bytes == device_model(prediction.device).program_bytes
        assert each.needed_bytes >= 256 * GIBIBYTE
    assert {each.fits for each in fitted(run).programs if each.outcome == "no-room"} == {False}


def test_what_is_said_to_save_memory_saves_at_most_that(preflight):
    """The same step as it is, with its weights given up, and with its layers computed again."""
    plain = preflight("v5e-8", STEP.format(donated="()", layer="layer"), "plain")
    donated = preflight("v5e-8", STEP.format(donated="(0,)", layer="layer"), "donated")
    again = preflight("v5e-8", STEP.format(donated="()", layer="jax.checkpoint(layer)"), "again")
    before = fitted(plain)
    needed = before.programs[0].needed_bytes
    assert before.programs[0].name == "jit_step"
    promised = {each.code: each for each in before.savings}

    def saved(run):
        return needed - fitted(run).programs[0].needed_bytes

    assert promised["donate-to-fit"].values["replaced"] is True
    assert promised["donate-to-fit"].action is not None
    assert 0 < saved(donated) <= promised["donate-to-fit"].saving_bytes
    # Less, for what lay in the memory of the results before them has to lie somewhere.
    assert promised["donate-to-fit"].values["holds_others"] is True
    assert 0 < saved(again) <= promised["checkpoint-to-fit"].saving_bytes
    # What was done is not said again.
    assert "donate-to-fit" not in [each.code for each in fitted(donated).savings]


def test_five_billion_parameters_take_little_memory_to_judge(tpu_python, tmp_path):
    """Of the script, of what follows it, and of the compiler together."""
    command = [sys.executable, ONCE, Path(tpu_python).parents[1], tmp_path / "run", "v5e-8", "five_billion.py"]
    process = subprocess.Popen(
        list(map(str, command)), cwd=WORKLOADS, env={**os.environ}, stdout=subprocess.PIPE, text=True
    )
    most = [0]
    follower = threading.Thread(target=_follow, args=(psutil.Process(process.pid), most))
    follower.start()
    printed, _ = process.communicate(timeout=TIMEOUT_SECONDS)
    follower.join()
    assert process.returncode == 0
    assert "4.96 billion parameters" in printed
    assert 0 < most[0] < 1_000_000_000
    record = fitted(tmp_path / "run")
    first = record.programs[0]
    assert (first.name, first.fits, first.needed_basis) == ("jit_train_step", False, "plan")
    (said,) = [each for each in read_prediction(tmp_path / "run").programs if each.name == "jit(train_step)"]
    assert f"({first.needed_bytes / GIBIBYTE:.2f}G)" in said.message
    assert first.available_bytes == 15.75 * GIBIBYTE
    # Its lines, and the parameters with their moments, are most of it.
    known = sum(each.bytes for each in (*record.lines, *record.arguments))
    assert known > 0.99 * first.needed_bytes
    (state,) = [each for each in record.arguments if each.name == "state"]
    assert state.donated_bytes == state.bytes == pytest.approx(3 * 4 * 4.96e9, rel=0.01)
    _find(tmp_path / "run", first.needed_bytes, record.lines[0])


def _find(run, needed_bytes, line):
    """A scripted agent that has the tools alone finds that it does not fit, what takes the memory, and the line."""
    agent = ScriptedAgent(WORKLOADS, run.parent)
    summary = agent.ask("summary", run=run.name)
    assert f"Does not fit: {byte_size(needed_bytes).split()[0]}" in summary
    text = agent.ask("memory_at_peak", run=run.name)
    assert 'argument "state"' in text
    place = f"five_billion.py:{line.line}"
    assert any(row.startswith(f"{place} in ") for row in text.splitlines()), text
    assert "Memory: " in agent.ask("line_detail", run=run.name, line=place)
    assert agent.calls <= MOST_CALLS


def _follow(process, most):
    while True:
        taken = 0
        try:
            for each in (process, *process.children(recursive=True)):
                taken += each.memory_full_info().pss
        except psutil.NoSuchProcess:
            if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                return
        except psutil.AccessDenied:
            return
        most[0] = max(most[0], taken)
        if process.status() == psutil.STATUS_ZOMBIE:
            return

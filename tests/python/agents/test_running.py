"""Tools that run a script: only once a person agreed, in its own folder, and ended with the call."""

import os
import shutil
import subprocess
import sys
import threading
import time

import attrs
import pytest

from agents.conftest import Agent, next_call
from made.compilers import stand_in_of_user
from scopelight.agents.desk import Client
from scopelight.agents.started import end_command
from scopelight.model.run.capture_process import is_alive

LONG = """\
import jax
import jax.numpy as jnp

@jax.jit
def train_step(w):
    return w - 0.01 * jax.grad(lambda w: jnp.sum(jnp.tanh(w @ w)))(w)

w = jnp.eye(64)
while True:
    w = train_step(w)
    w.block_until_ready()
"""


@pytest.fixture
def project(workspace, tmp_path):
    """A workspace of its own, without runs."""
    folder = tmp_path / "project"
    shutil.copytree(workspace, folder, ignore=shutil.ignore_patterns(".scopelight"))
    (folder / "long.py").write_text(LONG)
    return folder


def runs_of(folder):
    return sorted((folder / ".scopelight").glob("*/run.json"))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("profile_script", {"script": "train.py"}), ("predict_on_tpu", {"script": "train.py", "tpu": "v5e-8"})],
)
def test_nothing_runs_without_a_person(project, tool, arguments):
    agent = Agent(project)
    text = agent.ask(tool, **arguments, args=["--lines", 'a "b" c'])
    assert "Nothing was run yet" in text
    assert not runs_of(project)
    again, given = next_call(text)
    assert (again, given["confirmed"]) == (tool, True)
    assert given["args"] == ["--lines", 'a "b" c']


@pytest.mark.parametrize("tool", ["profile_script", "predict_on_tpu"])
def test_a_person_who_declines_is_heard_whatever_the_model_says(project, tool):
    asked = []
    agent = Agent(project)
    agent.desk = attrs.evolve(agent.desk, client=Client(asks=lambda question: asked.append(question) or "declined"))
    arguments = {"tpu": "v5e-8"} if tool == "predict_on_tpu" else {}
    assert "did not agree" in agent.error(tool, script="train.py", confirmed=True, **arguments)
    assert len(asked) == 1
    assert not runs_of(project)


def test_a_script_without_end_is_interrupted_once_its_steps_are_captured(project):
    agent = Agent(project)
    text = agent.ask("profile_script", script="long.py", steps=3, confirmed=True)
    (run,) = runs_of(project)
    assert f"Captured {run.parent.name}" in text
    assert "interrupted once its steps were captured" in text
    assert "long.py:6" in text
    assert not agent.follow(text).is_error


def test_a_call_that_is_cancelled_ends_the_script(project):
    cancelled = threading.Event()
    agent = Agent(project)
    agent.desk = attrs.evolve(agent.desk, client=Client(is_cancelled=cancelled.is_set))
    called = []
    thread = threading.Thread(
        target=lambda: called.append(agent.call("profile_script", script="long.py", steps=1000, confirmed=True))
    )
    thread.start()
    while not runs_of(project):
        time.sleep(0.05)
    cancelled.set()
    thread.join(120)
    assert "cancelled" in called[0].text


@pytest.mark.skipif(os.name != "posix", reason="groups of processes are POSIX's")
def test_what_a_command_leaves_behind_ends_with_it(tmp_path):
    pid = tmp_path / "pid"
    child = "import time; time.sleep(600)"
    leader = (
        "import pathlib, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        f"pathlib.Path({str(pid)!r}).write_text(str(child.pid))\n"
        "time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", leader], start_new_session=True, stderr=subprocess.DEVNULL)
    while not pid.is_file() or not pid.read_text():
        time.sleep(0.05)
    end_command(process)
    until = time.monotonic() + 60
    while is_alive(int(pid.read_text())) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_alive(int(pid.read_text()))


def test_a_script_that_fails_says_what_it_said(project):
    (project / "fails.py").write_text("raise ValueError('no data\\nat all')\n")
    text = Agent(project).error("profile_script", script="fails.py", confirmed=True)
    assert "exit code 1" in text
    assert "no data" in text


def test_what_a_script_prints_is_no_part_of_the_answer(project, capfd):
    (project / "prints.py").write_text("print('{\"jsonrpc\": 1}')\nraise SystemExit(0)\n")
    Agent(project).call("profile_script", script="prints.py", confirmed=True)
    assert "jsonrpc" not in capfd.readouterr().out


def test_the_workspaces_own_modules_are_not_taken_for_ours(project):
    (project / "click.py").write_text("raise SystemExit('not this one')\n")
    assert "not this one" not in Agent(project).call("profile_script", script="fails.py", confirmed=True).text


def test_a_prediction_says_that_it_is_one(project, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    stand_in_of_user(tmp_path / "cache")
    text = Agent(project).ask("predict_on_tpu", script="train.py", tpu="v5e-8", confirmed=True)
    assert "Predicted by the TPU's compiler, not measured" in text
    assert "≈" in text
    assert "v5e-8" in text


def test_without_a_compiler_it_says_how_to_get_one(project, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    text = Agent(project).error("predict_on_tpu", script="train.py", tpu="v5e-8", confirmed=True)
    assert "--yes" in text

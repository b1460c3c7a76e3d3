"""A workspace with a run, and an agent that has the tools alone."""

import ast
import os
import shutil
import sys
import textwrap

import pytest

from scopelight.agents.answering import call_tool
from scopelight.agents.desk import Desk
from scopelight.agents.workspace import Workspace
from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSource, LaunchSpec

TRAIN = """\
    import time

    import jax
    import jax.numpy as jnp

    from network import loss


    def batches():
        while True:
            time.sleep(0.01)  # line: slow
            yield jnp.ones((64, 128))


    @jax.jit
    def train_step(weights, x):
        return weights - 0.01 * jax.grad(loss)(weights, x)


    weights, loader = jnp.eye(128), batches()
    for _ in range(150):
        weights = train_step(weights, next(loader))
        weights.block_until_ready()
    """
NETWORK = """\
    import jax.numpy as jnp


    def loss(weights, x):
        return jnp.mean(jnp.tanh(x @ weights) ** 2)
    """


class Agent:
    """Calls tools as a model does: by name and arguments."""

    def __init__(self, *roots, desk=None):
        self.desk = desk or Desk(Workspace.of(roots))
        self.calls = 0
        self.faults = []

    def call(self, tool, **arguments):
        self.calls += 1
        called = call_tool(self.desk, tool, arguments, self.faults.append)
        assert not self.faults, self.faults
        return called

    def ask(self, tool, **arguments):
        """The text of an answer that must not be an error."""
        called = self.call(tool, **arguments)
        assert not called.is_error, called.text
        return called.text

    def error(self, tool, **arguments):
        """The text of an error."""
        called = self.call(tool, **arguments)
        assert called.is_error, called.text
        return called.text

    def follow(self, text):
        """Call what the answer says to call next."""
        tool, arguments = next_call(text)
        return self.call(tool, **arguments)


def next_call(text):
    """The tool and arguments in the last line of an answer."""
    *_, last = text.splitlines()
    assert last.startswith("next: "), text
    call = ast.parse(last.removeprefix("next: ").replace("=true", "=True"), mode="eval").body
    return call.func.id, {each.arg: ast.literal_eval(each.value) for each in call.keywords}


@pytest.fixture(scope="session")
def workspace(tmp_path_factory, cpu_backend):
    """A folder with a script that waits for its input, and two runs of it that are alike."""
    folder = tmp_path_factory.mktemp("agents").resolve()
    (folder / "train.py").write_text(textwrap.dedent(TRAIN))
    (folder / "network.py").write_text(textwrap.dedent(NETWORK))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    source = LaunchSource(Script("train.py", (), False), sys.executable, folder, environment)
    result = source.capture(LaunchSpec(out=folder / ".scopelight" / "first", calibrates=False))
    assert result.failure is None
    shutil.copytree(folder / ".scopelight" / "first", folder / ".scopelight" / "second")
    return folder


@pytest.fixture(scope="session")
def desk(workspace):
    return Desk(Workspace.of([workspace]))


@pytest.fixture
def agent(desk):
    return Agent(desk=desk)

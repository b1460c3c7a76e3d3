"""Jobs that do not listen, captured by an editor."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio

NEWEST = os.environ.get("SCOPELIGHT_TEST_PYTHON_NEWEST")
WAITS = "print('ready', flush=True); input()"
TRAINS = """
import time
import jax, jax.numpy as jnp

@jax.jit
def train_step(x):
    return jnp.tanh(x @ x) / 3

x = train_step(jnp.ones((100, 100)))
print("ready", flush=True)
while True:
    x = train_step(x).block_until_ready()
    time.sleep(0.002)
"""


@pytest_asyncio.fixture
async def editor(start_editor, extension_options, tmp_path):
    editor = await start_editor()
    await editor.initialize(tmp_path, options=extension_options)
    return editor


@pytest.fixture
def start(tmp_path):
    started = []

    def start_it(python, text):
        (tmp_path / "alone.py").write_text(text)
        command, environment = [python, "alone.py"], {**os.environ, "JAX_PLATFORMS": "cpu"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, text=True, **pipes)
        started.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield start_it
    for each in started:
        each.kill()
        each.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell what a process has loaded")
async def test_a_job_that_lets_no_agent_in_is_listed_with_what_to_do(editor, start, tmp_path):
    # To load the libraries is enough, and faster.
    process = start(sys.executable, f"import jaxlib.xla_client\n{WAITS}")
    listed = (await editor.result("scopelight/localJobs", {}))["unprepared"]
    (job,) = (each for each in listed if each["pid"] == process.pid)
    assert (job["script"], job["cwd"]) == ("alone.py", str(tmp_path))
    if sys.version_info < (3, 14):
        assert "only 3.14 and later let an agent in. Start it with `scopelight run`" in job["refusal"]


async def test_why_the_agent_does_not_come_in_is_said(editor, start, tmp_path):
    process = start(sys.executable, WAITS)
    _, sentence = await editor.error("scopelight/attachToJob", {"pid": process.pid, "folder": str(tmp_path)})
    assert "only 3.14 and later" in sentence or "has not imported jax" in sentence
    assert not (tmp_path / ".scopelight").exists()


@pytest.mark.skipif(NEWEST is None, reason="make test-python-newest has a Python 3.14 with jax")
async def test_a_job_on_the_newest_python_is_captured_into_the_folder_of_the_editor(editor, start, tmp_path):
    process = start(NEWEST, TRAINS)
    listed = (await editor.result("scopelight/localJobs", {}))["unprepared"]
    assert [each["refusal"] for each in listed if each["pid"] == process.pid] == [None]
    folder = tmp_path / "opened"
    folder.mkdir()
    params = {"pid": process.pid, "folder": str(folder), "seconds": 0.3, "workDoneToken": "attach"}
    captured = await editor.result("scopelight/attachToJob", params)
    assert captured["problems"] == []
    assert Path(captured["path"]).parent == folder / ".scopelight"
    assert json.loads((Path(captured["path"]) / "run.json").read_text())["window"]["kind"] == "seconds"
    await editor.next("$/progress", lambda each: each["value"].get("message") == "capturing 0.3 s")
    assert process.poll() is None

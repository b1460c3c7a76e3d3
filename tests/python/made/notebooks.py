"""A notebook of three cells, and kernels that run it as an editor has them do."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from jupyter_client import BlockingKernelClient
from jupyter_client.connect import write_connection_file

HEADING = "# Training"
MODEL = """\
import jax
import jax.numpy as jnp


def loss(weights, x):
    hidden = jnp.tanh(x @ weights)
    return jnp.mean((hidden @ weights) ** 2)


@jax.jit
def train_step(weights, x):
    return weights - 0.01 * jax.grad(loss)(weights, x)"""
DATA = """\
weights = jnp.eye(192)
x = jnp.ones((192, 192))"""
LOOP = """\
for _ in range(300):
    weights = train_step(weights, x)
weights.block_until_ready()
print("done")"""
CELLS = (HEADING, MODEL, DATA, LOOP)
"""All cells of the notebook, the heading among them: the model is cell 2."""


def write_notebook(path, cells=CELLS):
    """A notebook as editors save it; a cell that begins with ``# `` is one of text."""

    def saved(number, text):
        base = {"id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        code = {"cell_type": "code", "execution_count": None, "outputs": []}
        return {**base, **({"cell_type": "markdown"} if text.startswith("# ") else code)}

    document = {
        "cells": [saved(number, text) for number, text in enumerate(cells)],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(document, indent=1))
    return path


@contextlib.contextmanager
def kernel(folder, *launcher, **environment):
    """A client of a kernel in a folder, whose process is started by ``launcher``, the interpreter as a rule."""
    file, _ = write_connection_file(str(folder / ".connection.json"))
    command = [*(launcher or (sys.executable, "-m")), "ipykernel_launcher", "-f", file]
    variables = {**os.environ, "JAX_PLATFORMS": "cpu", **environment}
    with (folder / "kernel.log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=variables, stdout=log, stderr=log)
    client = BlockingKernelClient()
    client.load_connection_file(file)
    client.start_channels()
    try:
        _answered(client, process)
        yield client
        client.shutdown()
        process.wait(60)
    finally:
        client.stop_channels()
        if process.poll() is None:
            process.kill()
            process.wait()
        Path(file).unlink(missing_ok=True)


def _answered(client, process):
    """Wait for the kernel's first answers: before its sockets are there a client that waits takes it for dead.

    What it publishes before that socket is connected is lost, the end of a cell as well: both have to be heard.
    """
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        client.kernel_info()
        with contextlib.suppress(Exception):
            client.get_shell_msg(timeout=1)
            client.get_iopub_msg(timeout=1)
            return
    raise AssertionError("The kernel did not answer.")


def execute(client, text):
    """Run a cell: what it printed, and the error that ended it, None for none."""
    printed, failed = [], None

    def hear(message):
        nonlocal failed
        content = message["content"]
        if message["msg_type"] == "stream":
            printed.append(content["text"])
        elif message["msg_type"] == "error":
            failed = f"{content['ename']}: {content['evalue']}"

    client.execute_interactive(text, timeout=120, output_hook=hear, store_history=True)
    return "".join(printed), failed


def capture_notebook(notebook, out, cells=CELLS):
    """A run of the cells of a notebook in a kernel that was launched under the profiler."""
    run = [sys.executable, "-m", "scopelight.cli.main", "run", "--no-calibration", "--whole", "--out", str(out), "-m"]
    with kernel(notebook.parent, *run, JPY_SESSION_NAME=str(notebook)) as client:
        for text in cells:
            if not text.startswith("# "):
                _, failed = execute(client, text)
                assert failed is None
    assert (out / "run.json").is_file()
    return out

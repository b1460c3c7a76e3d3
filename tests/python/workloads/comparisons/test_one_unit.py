"""What is exact: one FLOP, one byte, one compilation more is found with one run each."""

import subprocess
import sys

import pytest

from scopelight.views.comparing import compare_paths

SCRIPT = """
import jax
import jax.numpy as jnp
import numpy as np

LENGTH, BYTES, MORE = 4096, 4096, 0

@jax.jit
def step(x, flags):
    return x + 1, jnp.any(flags)

@jax.jit
def other(x):
    return x * 2

x, flags = np.ones(LENGTH, np.float32), np.zeros(BYTES, np.bool_)
if MORE:
    other(x)
for _ in range(60):
    jax.block_until_ready(step(x, flags))
"""
EDITS = {
    "same": (),
    "flop": ("LENGTH, BYTES, MORE = 4096, 4096, 0", "LENGTH, BYTES, MORE = 4097, 4096, 0"),
    "byte": ("LENGTH, BYTES, MORE = 4096, 4096, 0", "LENGTH, BYTES, MORE = 4096, 4097, 0"),
    "compilation": ("LENGTH, BYTES, MORE = 4096, 4096, 0", "LENGTH, BYTES, MORE = 4096, 4096, 1"),
}


@pytest.fixture(scope="module")
def changes(tmp_path_factory):
    """By edit, the change and the verdict of each exact quantity."""
    folder = tmp_path_factory.mktemp("units")

    def capture(name, script):
        (folder / "train.py").write_text(script)
        command = [sys.executable, "-m", "scopelight.cli.main", "run", "--no-calibration", "--out", f"runs/{name}"]
        subprocess.run([*command, "train.py"], cwd=folder, check=True, capture_output=True, timeout=300)
        return folder / "runs" / name

    first = capture("first", SCRIPT)
    found = {}
    for name, edit in EDITS.items():
        record = compare_paths([first], [capture(name, SCRIPT.replace(*edit) if edit else SCRIPT)], "line", folder)
        found[name] = {each.name: (each.change, each.verdict) for each in record.quantities if each.kind == "exact"}
    return found


def test_the_same_code_has_changed_in_nothing(changes):
    assert {verdict for _, verdict in changes["same"].values()} == {"same"}


def test_one_flop_more_is_found(changes):
    assert changes["flop"]["flops"] == (1, "worse")


def test_one_byte_more_is_found(changes):
    change, verdict = changes["byte"]["bytes"]
    # It is read once, and what is made of it is moved as well.
    assert verdict == "worse"
    assert 1 <= change < 10
    assert changes["byte"]["compilations"] == (0, "same")


def test_one_compilation_more_is_found(changes):
    assert changes["compilation"]["compilations"] == (1, "worse")
    assert changes["compilation"]["flops"] == (0, "same")

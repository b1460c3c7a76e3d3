"""Rounds of one code need not be traced from the same moment: what is in one window pairs with itself in another."""

import subprocess
import sys

import pytest

from scopelight.views.comparing import compare_paths

# Of what a library compiles under one name, the set-up has some and the steps have some.
SCRIPT = """
import jax
import jax.numpy as jnp

@jax.jit
def step(weights, batch):
    return weights - 0.01 * batch.T @ jnp.tanh(batch @ weights)

def batch_of(number):
    key = jax.random.fold_in(jax.random.key(1), number)
    return jax.random.normal(key, (64, 128))

weights = jax.random.normal(jax.random.key(0), (128, 128))
for number in range(60):
    weights = step(weights, batch_of(number))
    weights.block_until_ready()
"""
DRAWN = SCRIPT.splitlines().index("    return jax.random.normal(key, (64, 128))") + 1


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run with the set-up in its window, and one of some steps alone."""
    folder = tmp_path_factory.mktemp("windows")
    (folder / "train.py").write_text(SCRIPT)
    windows = {"whole": ["--whole"], "steps": ["--skip", "20", "--steps", "10"]}
    for name, options in windows.items():
        command = [sys.executable, "-m", "scopelight.cli.main", "run", *options, "--no-calibration", "--out", name]
        subprocess.run([*command, "train.py"], cwd=folder, check=True, capture_output=True, timeout=300)
    return folder / "whole", folder / "steps"


def test_the_ops_of_a_step_pair_with_those_of_a_window_with_the_set_up(runs):
    whole, steps = runs
    record = compare_paths([whole], [steps], "op", whole.parent)
    new = [(row.line, row.label) for row in record.rows if row.verdict == "only-after"]
    assert new == []
    drawn = [row for row in record.rows if row.line == DRAWN and row.after_key is not None]
    assert drawn
    assert all(row.before_key == row.after_key for row in drawn)

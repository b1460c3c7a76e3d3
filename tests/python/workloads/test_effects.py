"""What was promised of a run, against what the run that follows it measures."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from made.predictions import UNROLLED
from scopelight.analysis.advice.view import advice
from scopelight.analysis.options import NoOptions
from scopelight.views.opening import open_subject

SOURCE = """
import functools
import jax
import jax.numpy as jnp

@jax.jit
def train_step(params, x):
    def loss(params):
        return jnp.mean((jnp.tanh(x @ params["a"]) @ params["b"]) ** 2)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params))

params = {"a": jnp.ones((512, 2048)), "b": jnp.ones((2048, 512))}
x = jnp.ones((32, 512))
for _ in range(300):
    params = train_step(params, x)
jax.block_until_ready(params)
"""
DONATING = SOURCE.replace("@jax.jit", "@functools.partial(jax.jit, donate_argnums=0)")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs of one script, between which its arguments were donated."""
    folder = tmp_path_factory.mktemp("edited")
    for source, name in ((SOURCE, "first"), (DONATING, "second")):
        (folder / "train.py").write_text(source)
        command = [sys.executable, "-m", "scopelight.cli.main", "run", "--no-calibration", "--out", f"runs/{name}"]
        subprocess.run([*command, "train.py"], cwd=folder, check=True, capture_output=True)
    return folder / "runs"


def effects(run: Path):
    return advice(open_subject(run, run.parent.parent), NoOptions()).effects


def test_a_run_names_the_one_that_it_follows(runs):
    assert json.loads((runs / "second" / "run.json").read_text())["follows"] == "first"
    assert effects(runs / "first") == ()


def test_what_is_not_advised_any_more_is_measured(runs):
    (effect,) = effects(runs / "second")
    assert effect.code == "advice-effect"
    assert effect.values["advice"] == "missing-donation"
    assert effect.values["measured_bytes"] == pytest.approx(effect.values["promised_bytes"], rel=0.25)


def test_without_the_earlier_run_nothing_is_said(runs, tmp_path):
    alone = tmp_path / "second"
    (runs / "second").rename(alone)
    try:
        assert effects(alone) == ()
    finally:
        alone.rename(runs / "second")


def test_a_prediction_is_no_earlier_run_of_what_was_measured(runs, tmp_path):
    """Nor what was measured one of a prediction: whatever an older record says that it follows."""
    measured = shutil.copytree(runs / "second", tmp_path / "measured")
    shutil.copytree(runs / "first", tmp_path / "first")
    assert effects(follow(measured, "first")) != ()
    predicted = shutil.copytree(UNROLLED, tmp_path / "predicted")
    assert effects(follow(measured, "predicted")) == ()
    assert effects(follow(predicted, "first")) == ()


def follow(run: Path, earlier: str) -> Path:
    information = json.loads((run / "run.json").read_text()) | {"follows": earlier}
    (run / "run.json").write_text(json.dumps(information))
    return run

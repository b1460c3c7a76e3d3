"""What jax compiled, and why it says it did, is written down while the script prints what it always prints."""

import subprocess

from scopelight.analysis.options import NoOptions
from scopelight.analysis.programs.view import programs
from scopelight.views.opening import open_subject

SCRIPT = """
    import functools
    import logging
    import sys

    import jax
    import jax.numpy as jnp

    {setting}

    @functools.partial(jax.jit, static_argnums=1)
    def train_step(x, power):
        return jnp.tanh(x) ** power  # what it computes

    # What jax traces anew for the derivative has no place of the script in its explanation.
    @jax.checkpoint
    def layer(x, weight):
        return jnp.tanh(x * weight), None

    @jax.jit
    def gradients(weights):
        return jax.grad(lambda weights: jnp.sum(jax.lax.scan(layer, jnp.ones(8), weights)[0]))(weights)

    gradients(jnp.ones(4))
    total = 0.0
    for step in range(60):
        x = jnp.ones((32 + (step >= 20), 64))
        total += float(train_step(x, 2 + (step >= 40))[0, 0])  # line: call
    print(f"{{total:.6f}}")
    print("done", file=sys.stderr)
    """
PLAIN = "pass"
LOGGING = "logging.basicConfig(level=logging.DEBUG, filename='log.txt')"
EXPLAINING = "jax.config.update('jax_explain_cache_misses', True)"


def captured(bench, setting):
    bench.write("train.py", SCRIPT.format(setting=setting))
    run = bench.capture("train.py", whole=True)
    assert run.returncode == 0, run.stderr
    return run


def plain(bench):
    return subprocess.run(
        [bench.python, "train.py"], cwd=bench.folder, env=bench.environment, capture_output=True, text=True, check=True
    )


def test_changed_shapes_and_static_arguments_are_told_with_their_line(bench):
    run = captured(bench, PLAIN)
    source = (bench.folder / "train.py").read_text().splitlines()
    record = programs(open_subject(run.out, bench.folder), NoOptions())
    again = {each.cause: each for each in record.compilations if each.function.strip("_") == "train_step"}
    shapes = again["argument"]
    assert [(each.before, each.after) for each in shapes.changed] == [("f32[32,64]", "f32[33,64]")]
    assert shapes.changed[0].name == "x"
    assert "# line: call" in source[shapes.line - 1]
    assert shapes.time_ps > 0
    # Where jax does not say what became of a static argument, that it does not is said.
    static = again.get("static") or again["unexplained"]
    assert static.count == 1
    assert record.compile_ps >= sum(each.time_ps for each in again.values())


def test_the_script_prints_the_same_byte_for_byte(bench):
    run, alone = captured(bench, PLAIN), plain(bench)
    # What captures it says of the window, behind all that the script has said.
    assert (run.stdout, run.stderr) == (alone.stdout, f"{alone.stderr}window: whole\n")


def test_a_script_that_logs_all_of_jax_logs_no_explanation(bench):
    run = captured(bench, LOGGING)
    assert "TRACING CACHE MISS" not in f"{run.stderr}{(bench.folder / 'log.txt').read_text()}".upper()


def test_a_script_that_asks_for_explanations_gets_them(bench):
    run = captured(bench, EXPLAINING)
    assert "TRACING CACHE MISS" in plain(bench).stderr.upper()
    assert "TRACING CACHE MISS" in run.stderr.upper()

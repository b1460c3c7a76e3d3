"""A script, unmodified, from its start to what a real compiler for TPUs expects, with each version of jax."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from made import scripts
from scopelight.capture.tpu_compiler.environment import CompilerEnvironment
from scopelight.model.opening.profile import open_profile
from scopelight.views.opening import open_subject
from scopelight.views.table import VIEWS

PYTHONS = [each for each in os.environ.get("SCOPELIGHT_TEST_PYTHONS", "").split(os.pathsep) if each] or [sys.executable]
PREDICTED = Path(scripts.__file__).with_name("predicted")
SHARDED = """
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
weights = {
    "up": jax.device_put(jnp.ones((128, 256)), NamedSharding(mesh, P(None, "model"))),
    "down": jax.device_put(jnp.ones((256, 128)), NamedSharding(mesh, P("model", None))),
}
x = jax.device_put(jnp.ones((64, 128)), NamedSharding(mesh, P("data", None)))

@jax.jit
def step(weights, x):
    loss = lambda weights: jnp.mean((jnp.tanh(x @ weights["up"]) @ weights["down"]) ** 2)
    return jax.tree.map(lambda w, g: w - 0.1 * g, weights, jax.grad(loss)(weights))

for number in range(2):
    weights = step(weights, x)
    parts = {name: each.addressable_shards[0].data.shape for name, each in weights.items()}
    print("after", number, parts)
"""


@pytest.fixture(scope="module")
def preflight(tpu_python, tmp_path_factory):
    """``preflight(script, *arguments, python=…)``: the run; what was compiled once is known."""
    cache = tmp_path_factory.mktemp("cache")
    environment = CompilerEnvironment.of_user({"XDG_CACHE_HOME": str(cache)})
    (environment.folder / "bin").mkdir(parents=True)
    environment.python.write_text(f'#!/bin/sh\nexec "{tpu_python}" "$@"\n')
    environment.python.chmod(0o755)
    (environment.folder / "ready.json").write_text("{}\n")

    def run(script, *arguments, python=sys.executable, cwd=None):
        out = tmp_path_factory.mktemp("run")
        command = [sys.executable, "-m", "scopelight.cli.main", "preflight", "--tpu", "v5e-8", "--python", python]
        ended = subprocess.run(
            [*command, "--out", out, script, *arguments],
            cwd=cwd or tmp_path_factory.mktemp("cwd"),
            env={**os.environ, "XDG_CACHE_HOME": str(cache)},
            capture_output=True,
            text=True,
            timeout=500,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return out, ended

    return run


def step_ps(run):
    """What a step is expected to take: the longest program's run."""
    profile = open_profile(run)
    return max(int(each) for each in profile.runs.duration_ps)


@pytest.mark.parametrize("python", PYTHONS)
def test_a_mesh_keeps_the_shardings_that_the_compiler_gives(preflight, tmp_path, python):
    script = tmp_path / "sharded.py"
    script.write_text(SHARDED)
    out, ended = preflight(script, python=python)
    first, second = (line for line in ended.stderr.splitlines() if line.startswith("after"))
    assert first.removeprefix("after 0") == second.removeprefix("after 1")
    assert "'up': (128, 128)" in first
    assert "'down': (128, 128)" in first
    steps = [
        each for each in json.loads((out / "prediction.json").read_text())["programs"] if each["name"] == "jit(step)"
    ]
    # The second call takes what the first one gave: it is the same program, or one for other shardings.
    assert {each["outcome"] for each in steps} == {"compiled"}
    assert {each["partitions"] for each in steps} == {8}


def test_every_version_of_jax_leads_to_the_same_estimate(preflight, project):
    script = project / "daemon" / "examples" / "transformer.py"
    found = [step_ps(preflight(script, "--steps", "3", python=python)[0]) for python in PYTHONS]
    assert max(found) <= 1.01 * min(found)


def test_layers_as_a_scan_and_as_a_loop_take_the_same(preflight):
    scan, unrolled = (step_ps(preflight(PREDICTED / "step.py", *more)[0]) for more in ((), ("--unrolled",)))
    assert max(scan, unrolled) <= 1.05 * min(scan, unrolled)


def test_the_lines_of_the_example_have_nearly_all_of_the_cycles(preflight, project):
    examples = project / "daemon" / "examples"
    out, _ = preflight(examples / "transformer.py", "--steps", "3")
    view = VIEWS["lines"]
    record = view.ask(open_subject(out, examples), view.options())
    on_lines = sum(each.self_ps for each in record.lines)
    assert on_lines >= 0.95 * record.op_time_ps


def test_a_kernel_of_pallas_is_compiled(preflight):
    out, _ = preflight(PREDICTED / "kernels.py")
    prediction = json.loads((out / "prediction.json").read_text())
    assert {each["outcome"] for each in prediction["programs"]} == {"compiled"}
    targets = {
        each.custom_call_target for module in open_profile(out).modules for each in module.instructions
    }  # fmt: skip
    assert "tpu_custom_call" in targets


def test_the_users_environment_never_imports_libtpu(preflight, tmp_path):
    script = tmp_path / "looks.py"
    script.write_text(
        "import sys, jax\njax.jit(lambda x: x + 1)(1.0)\n"
        "print('libtpu' in sys.modules, any('libtpu' in line for line in open('/proc/self/maps')))\n"
    )
    _, ended = preflight(script)
    assert "False False" in ended.stderr


def test_what_feeds_the_host_stays_in_the_program(preflight, tmp_path):
    """Three products, of which the host gets the result of two: none may be left out for that."""
    script = tmp_path / "calls.py"
    script.write_text(
        """
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def step(w, x):
    gradient = jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w) ** 2))(w)
    jax.debug.callback(lambda norm: None, jnp.linalg.norm(x @ w))
    return w - jax.pure_callback(np.sin, jax.ShapeDtypeStruct(w.shape, w.dtype), gradient)

w, x = jnp.ones((1024, 1024)), jnp.ones((256, 1024))
for _ in range(3):
    w = step(w, x)
"""
    )
    for python in PYTHONS:
        out, _ = preflight(script, python=python)
        product = 2 * 256 * 1024 * 1024
        record = VIEWS["ops"].ask(open_subject(out, tmp_path), VIEWS["ops"].options())
        # Two steps are complete; the two forward products may be one.
        assert sum(each.flops or 0 for each in record.rows) >= 2 * 2 * product, python


def test_a_program_that_takes_nothing_has_the_shardings_that_it_asks_for(preflight, tmp_path):
    script = tmp_path / "initial.py"
    script.write_text(
        """
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("x",))
w = jax.jit(lambda: jnp.zeros((64, 64)), out_shardings=NamedSharding(mesh, P("x")))()
v = jax.jit(lambda: jnp.zeros((64, 64)))()
print("parts", w.addressable_shards[0].data.shape, v.addressable_shards[0].data.shape)
"""
    )
    for python in PYTHONS:
        _, ended = preflight(script, python=python)
        assert "parts (8, 64) (64, 64)" in ended.stderr

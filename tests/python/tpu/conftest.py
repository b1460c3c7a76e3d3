"""Programs for TPUs, compiled without one: `make test-tpu` says with which Python."""

import json
import os
import subprocess
from pathlib import Path

import attrs
import pytest

COMPILE = Path(__file__).with_name("compile_step.py")
PYTHON = os.environ.get("SCOPELIGHT_TEST_TPU_PYTHON")
COMPILE_TIMEOUT_SECONDS = 300


@attrs.frozen
class CompiledStep:
    """A training step as the compiler left it."""

    said: dict
    """What jax's compiled object says of it."""
    program: Path
    """The dumped program with its plan of memory."""


@pytest.fixture(scope="session")
def compiled_step(tmp_path_factory):
    """``compiled_step(topology)``: the step compiled for that kind of TPU, once."""
    if PYTHON is None:
        pytest.skip("SCOPELIGHT_TEST_TPU_PYTHON names no Python with libtpu")
    kept = {}

    def compile_it(topology):
        if topology not in kept:
            folder = tmp_path_factory.mktemp("dump")
            ran = subprocess.run(
                [PYTHON, COMPILE, topology, folder],
                capture_output=True,
                text=True,
                timeout=COMPILE_TIMEOUT_SECONDS,
                check=False,
                env={**os.environ, "JAX_PLATFORMS": "cpu"},
            )
            assert ran.returncode == 0, ran.stderr
            (program,) = folder.glob("*jit_step*.after_optimizations.hlo.pb")
            kept[topology] = CompiledStep(json.loads(ran.stdout.splitlines()[-1]), program)
        return kept[topology]

    return compile_it

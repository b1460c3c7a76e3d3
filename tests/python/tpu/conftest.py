"""Programs for TPUs, compiled without one: `make test-tpu` says with which Python."""

import json
import subprocess
from pathlib import Path

import attrs
import pytest

from made import scripts

COMPILE = Path(scripts.__file__).with_name("compile_step.py")
COMPILE_TIMEOUT_SECONDS = 300


@attrs.frozen
class CompiledStep:
    """A training step as the compiler left it."""

    said: dict
    """What jax's compiled object says of it."""
    program: Path
    """The dumped program with its plan of memory."""


@pytest.fixture(scope="session")
def compiled_step(tpu_python, tmp_path_factory):
    """``compiled_step(topology)``: the step compiled for that kind of TPU, once."""
    kept = {}

    def compile_it(topology):
        if topology not in kept:
            folder = tmp_path_factory.mktemp("dump")
            ran = subprocess.run(
                [tpu_python, COMPILE, topology, folder],
                capture_output=True,
                text=True,
                timeout=COMPILE_TIMEOUT_SECONDS,
                check=False,
            )
            assert ran.returncode == 0, ran.stderr
            (program,) = folder.glob("*jit_step*.after_optimizations.hlo.pb")
            kept[topology] = CompiledStep(json.loads(ran.stdout.splitlines()[-1]), program)
        return kept[topology]

    return compile_it

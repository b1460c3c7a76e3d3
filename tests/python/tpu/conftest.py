"""Programs for TPUs, compiled without one: `make test-tpu` says with which Python."""

import json
import subprocess
from pathlib import Path

import attrs
import pytest

from made import scripts

COMPILE = Path(scripts.__file__).with_name("compile_step.py")
COMPILE_TIMEOUT_SECONDS = 300


@pytest.fixture(scope="session", autouse=True)
def several_at_once():
    """Nobody uses a TPU: several tests may compile at the same time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALLOW_MULTIPLE_LIBTPU_LOAD", "true")
        yield


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

import json
import os
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from made import scripts
from made.compilers import stand_in_of_user

SCRIPTS = Path(scripts.__file__).with_name("predicted")


@attrs.frozen
class Predicted:
    """What `scopelight preflight` left."""

    returncode: int
    stdout: str
    stderr: str
    out: Path

    @property
    def run(self):
        return json.loads((self.out / "run.json").read_text())

    @property
    def prediction(self):
        return json.loads((self.out / "prediction.json").read_text())

    @property
    def called(self):
        """Names of the called programs with how often in a row, without those that run operations alone."""
        names = {each["number"]: each["name"] for each in self.prediction["programs"]}
        return [(names[each["program"]], each["times"]) for each in self.prediction["calls"]]

    @property
    def outcomes(self):
        return {each["name"]: each["outcome"] for each in self.prediction["programs"]}


@pytest.fixture
def preflight(bench, tmp_path):
    """``preflight(script, *arguments, options=…, orders=…)``: what the command makes of it with a stand-in.

    ``variables`` are of the environment, besides.
    """

    def run(script, *arguments, options=(), orders=None, out="run", variables=None):
        cache = tmp_path / "cache"
        found = {"XDG_CACHE_HOME": str(cache)} if cache.exists() else stand_in_of_user(cache, **(orders or {}))
        place = tmp_path / out
        command = [sys.executable, "-m", "scopelight.cli.main", "preflight", "--python", bench.python, "--out", place]
        if "--tpu" not in options:
            command += ["--tpu", "v5e-8"]
        ended = subprocess.run(
            [*command, *options, script, *arguments],
            cwd=bench.folder,
            env={**bench.environment, **found, **(variables or {}), "SCOPELIGHT_TEST_SCRIPTS": str(SCRIPTS)},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        return Predicted(ended.returncode, ended.stdout, ended.stderr, place)

    return run


@pytest.fixture
def scripts_of_predictions():
    return {name: str(SCRIPTS / f"{name}.py") for name in ("step", "kernels", "mesh_step", "without_room")}


@pytest.fixture(autouse=True)
def no_other_devices(monkeypatch):
    monkeypatch.delitem(os.environ, "XLA_FLAGS", raising=False)

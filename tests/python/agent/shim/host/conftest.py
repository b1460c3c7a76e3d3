"""Scripts that watch themselves by the shim alone, in processes of their own."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import made
from made import scripts

PROJECT = Path(made.__file__).parents[3]
AGENT = PROJECT / "daemon/agent/scopelight_agent"
LONGEST_SECONDS = 60


@pytest.fixture(scope="session")
def python():
    """A Python that tells of lines; skips where there is none."""
    known = [str(PROJECT / f".venv-host-{version}/bin/python") for version in ("3.12", "3.13")]
    for each in (sys.executable, *known, "python3.12", "python3.13", "python3.14"):
        path = shutil.which(each)
        if path is None:
            continue
        asked = [path, "-c", "import sys; print(sys.version_info >= (3, 12))"]
        if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() == "True":
            return path
    pytest.skip("no Python 3.12 or later is there")


@pytest.fixture
def run(python, tmp_path):
    """Run a script that watches itself; what it answers."""

    def run_it(text):
        script = tmp_path / "script.py"
        script.write_text("from monitor_driver import *\n" + textwrap.dedent(text))
        environment = {**os.environ, "PYTHONPATH": f"{AGENT}{os.pathsep}{Path(scripts.__file__).parent}"}
        ran = subprocess.run(
            [python, str(script)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        return json.loads(ran.stdout)

    return run_it

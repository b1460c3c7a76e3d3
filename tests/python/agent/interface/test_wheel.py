"""The wheel as pip installs it: small, and with a hook that is not felt where no variable asks for a capture."""

import os
import subprocess
import sys
import time
import venv
import zipfile

import pytest

MOST_BYTES = 200_000
HOOK = "scopelight-agent.pth"


@pytest.fixture(scope="module")
def wheel(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", folder, project / "daemon" / "agent"], check=True, timeout=120)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A Python with the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, wheel], check=True, timeout=120)
    return python


@pytest.fixture
def run(installed, tmp_path):
    """Run code in that Python; ``jax`` is a module that does nothing."""
    (tmp_path / "jax.py").write_text("__version__ = '0'\n")

    def run_it(code, **environment):
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith(("SCOPELIGHT", "MS_", "PYTHON"))
        }
        command = [str(installed), "-c", code]
        done = subprocess.run(
            command, env={**clean, **environment}, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return done

    return run_it


def test_is_small_and_has_the_hook(wheel):
    assert wheel.stat().st_size < MOST_BYTES
    with zipfile.ZipFile(wheel) as file:
        assert HOOK in file.namelist()
        assert file.read(HOOK).decode().count("\n") == 1


def test_nothing_is_imported_where_no_variable_asks(run, installed):
    code = "import sys; print(*sorted(sys.modules))"
    with_hook = run(code)
    hook = next(installed.parents[1].glob(f"lib/python*/site-packages/{HOOK}"))
    text = hook.read_text()
    hook.write_text("")
    try:
        without = run(code)
    finally:
        hook.write_text(text)
    assert with_hook.stdout == without.stdout
    assert with_hook.stderr == without.stderr == ""


def test_the_hook_is_not_felt_where_no_variable_asks(project):
    line = (project / "daemon" / "agent" / HOOK).read_text()
    assert line.startswith("import os;")
    # A hundred times in what one may take, so that a busy machine does not matter.
    began = time.perf_counter()
    for _ in range(100):
        exec(line, {})
    assert time.perf_counter() - began < 0.1


def test_the_variable_prepares_a_capture_and_leaves_jax_alone(run):
    done = run(
        "import sys; print('scopelight_agent.entrance' in sys.modules, 'jax' in sys.modules)", SCOPELIGHT_OPTIONS="{}"
    )
    assert done.stdout == "True False\n"
    assert done.stderr == ""


def test_nothing_is_prepared_where_the_variable_says_off(run):
    done = run("import sys; print('scopelight_agent.entrance' in sys.modules)", SCOPELIGHT_OPTIONS="off")
    assert done.stdout == "False\n"
    assert done.stderr == ""


def test_a_mistake_in_the_variable_is_said_where_jax_is_imported_and_the_program_runs(run):
    wrong = {"SCOPELIGHT_OPTIONS": '{"step": 5}'}
    assert run("print('runs')", **wrong).stderr == ""
    done = run("import jax; print('runs')", **wrong)
    assert done.stdout == "runs\n"
    assert done.stderr == (
        'scopelight: SCOPELIGHT_OPTIONS has an unknown key "step". Did you mean steps?'
        " The script runs without a capture.\n"
    )
    # One of the processes of a machine says it.
    assert run("import jax", LOCAL_RANK="1", **wrong).stderr == ""


def test_the_program_runs_where_the_package_is_broken(run, installed):
    entrance = next(installed.parents[1].glob("lib/python*/site-packages/scopelight_agent/entrance.py"))
    text = entrance.read_text()
    entrance.write_text("raise RuntimeError('broken')")
    try:
        done = run("print('runs')", SCOPELIGHT_OPTIONS="{}")
    finally:
        entrance.write_text(text)
    assert done.stdout == "runs\n"
    assert done.stderr.count("\n") == 1
    assert "the program runs without it: broken" in done.stderr

"""Whatever fails, a preflight says so in one sentence, keeps what it has, and a second try works."""

import errno
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from made.compilers import stand_in, stand_in_of_user
from scopelight.capture.failures import Exit
from scopelight.capture.launching.launch import Script
from scopelight.capture.preflight import kept_programs
from scopelight.capture.preflight.preflight_source import PreflightSource, PreflightSpec
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.tpu_compiler.process import CompilerProcess
from scopelight.capture.tpu_compiler.topologies import topology_named
from scopelight.capture.tpu_compiler.verdicts import Verdicts
from scopelight.model.opening.profile import open_profile


def codes(predicted):
    return [each["code"] for each in predicted.run["findings"]]


@pytest.mark.parametrize("order", ["die", "babble"])
def test_a_compiler_that_ends_midway_is_said_and_the_second_try_works(preflight, scripts_of_predictions, order):
    predicted = preflight(scripts_of_predictions["step"], orders={"train_step": order})
    assert predicted.returncode == 0, predicted.stderr
    assert "Traceback" not in predicted.stderr
    assert codes(predicted) == ["prediction-unfinished"]
    assert predicted.outcomes == {"jit(initial)": "compiled", "jit(train_step)": "crashed"}
    assert len(open_profile(predicted.out).modules) == 1
    again = preflight(scripts_of_predictions["step"], out="again")
    assert again.outcomes == {"jit(initial)": "compiled", "jit(train_step)": "compiled"}
    assert codes(again) == []


def test_a_compiler_that_takes_too_much_memory_is_ended(preflight, scripts_of_predictions):
    options = ("--most-memory", "200MB")
    predicted = preflight(scripts_of_predictions["step"], options=options, orders={"train_step": "grow"})
    assert predicted.outcomes["jit(train_step)"] == "memory-limit"
    assert codes(predicted) == ["prediction-unfinished"]
    assert "0.2 GB" in predicted.run["findings"][0]["values"]["reason"]


def test_a_compiler_that_compiles_nothing_is_a_failure(preflight, bench):
    bench.write("one.py", "import jax\njax.jit(lambda x: x + 1)(1.0)\njax.jit(lambda x: x + 2)\n")
    predicted = preflight("one.py", orders={"<lambda>": "die"})
    assert predicted.returncode == Exit.NOT_CAPTURED
    assert "The compiler for TPUs compiled none of the programs (the compiler's process was killed" in predicted.stderr
    assert predicted.run["state"] == "failed"


def test_an_endless_script_is_ended_and_kept(preflight, bench):
    bench.write(
        "endless.py",
        """
        import jax, jax.numpy as jnp

        step = jax.jit(lambda x: x * 0.5 + 1)
        x = jnp.zeros(4)
        while not x.sum() > 10:
            x = step(x)
        """,
    )
    predicted = preflight("endless.py", options=("--most-calls", "50"))
    assert predicted.returncode == 0, predicted.stderr
    (ended,) = predicted.run["findings"]
    assert (ended["code"], ended["values"]) == ("prediction-ended", {"of": "calls", "most": 50})
    # The one too many is not called any more.
    assert sum(each["times"] for each in predicted.prediction["calls"]) == 51


def test_a_script_that_compiles_for_ever_is_ended(preflight, bench):
    bench.write(
        "compiles.py",
        """
        import jax, jax.numpy as jnp

        size = 1
        while True:
            jax.jit(lambda x: x + 1)(jnp.zeros(size))
            size += 1
        """,
    )
    predicted = preflight("compiles.py", options=("--most-programs", "20"))
    (ended,) = predicted.run["findings"]
    assert (ended["code"], ended["values"]["of"]) == ("prediction-ended", "programs")
    assert len(predicted.prediction["programs"]) == 21


def test_a_script_that_raises_keeps_what_was_caught_and_its_exit_code(preflight, bench):
    bench.write("raises.py", "import jax\njax.jit(lambda x: x + 1)(1.0)\nraise SystemExit(7)\n")
    predicted = preflight("raises.py")
    assert predicted.returncode == 7
    assert predicted.run["state"] == "captured"
    assert len(predicted.prediction["programs"]) >= 1


def test_a_script_that_uses_no_program_is_said_to(preflight, bench):
    bench.write("empty.py", "import jax\n")
    predicted = preflight("empty.py")
    assert predicted.returncode == Exit.JAX_NOT_USED
    assert "empty.py ended, and no program of it was compiled." in predicted.stderr


def test_a_script_that_is_not_there_is_said_to_be_missing(preflight):
    predicted = preflight("nowhere.py")
    assert predicted.returncode == Exit.SCRIPT_MISSING
    assert not predicted.out.exists()


def test_a_disk_without_room_for_programs_is_one_sentence(tmp_path, monkeypatch, scripts_of_predictions):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    compiler = CompilerProcess(stand_in(tmp_path), None)
    verdicts = Verdicts(tmp_path / "verdicts")
    source = PreflightSource(
        Script(scripts_of_predictions["step"], ()), sys.executable, tmp_path, os.environ, compiler, verdicts
    )
    spec = PreflightSpec(topology_named("v5e-8"), tmp_path / "run")
    with monkeypatch.context() as patch:
        patch.setattr(kept_programs.shutil, "copyfile", full)
        captured = source.capture(spec)
    assert captured.failure == (
        f"What was compiled cannot be kept in {tmp_path / 'run'} (No space left on device): free some of the disk, or"
        " choose another folder with --out, and try again."
    )
    assert captured.run.information.state == "failed"
    again = PreflightSource(source.script, sys.executable, tmp_path, os.environ, compiler, verdicts)
    assert again.capture(spec).run.information.state == "captured"
    compiler.close()


def test_a_disk_without_room_for_a_word_of_it_is_one_sentence(tmp_path, monkeypatch, scripts_of_predictions):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    compiler = CompilerProcess(stand_in(tmp_path), None)
    source = PreflightSource(
        Script(scripts_of_predictions["step"], ()),
        sys.executable,
        tmp_path,
        os.environ,
        compiler,
        Verdicts(tmp_path / "verdicts"),
    )
    with monkeypatch.context() as patch:
        patch.setattr(RunDirectory, "update", full)
        captured = source.capture(PreflightSpec(topology_named("v5e-8"), tmp_path / "run"))
    compiler.close()
    assert captured.exit_code == Exit.UNWRITABLE
    assert f"cannot be kept in {tmp_path / 'run'} (No space left on device)" in captured.failure
    assert (tmp_path / "run" / "run.json").exists()


@pytest.mark.parametrize(
    ("number", "reaches_script", "returncode"),
    [(signal.SIGINT, True, 130), (signal.SIGTERM, False, 143), (signal.SIGHUP, True, 129)],
)
def test_a_preflight_that_is_ended_keeps_what_was_compiled(
    preflight, bench, scripts_of_predictions, tmp_path, number, reaches_script, returncode
):
    """As Ctrl-C in a terminal or its end, which the script and the command get; or as kill, of the command alone."""
    preflight(scripts_of_predictions["step"], orders={}, out="first")
    (tmp_path / "cache" / "scopelight" / "tpu-programs").rename(tmp_path / "away")
    folder = next((tmp_path / "cache" / "scopelight").glob("tpu-compiler-*"))
    (folder / "orders.json").write_text('{"train_step": "hang"}')
    command = [sys.executable, "-m", "scopelight.cli.main", "preflight", "--tpu", "v5e-8", "--python", bench.python]
    process = subprocess.Popen(
        [*command, "--out", tmp_path / "run", scripts_of_predictions["step"]],
        cwd=bench.folder,
        env={**bench.environment, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 120
    while not (folder / "hang-was-done").exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    if reaches_script:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == returncode, stderr
    assert "Exception ignored" not in stderr, stderr
    assert "Traceback" not in stderr, stderr
    profile = open_profile(tmp_path / "run")
    assert profile.capture.state == "captured"
    assert profile.prediction.was_cancelled
    assert len(profile.modules) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_script_that_would_go_on_is_ended_with_its_preflight(preflight, bench, tmp_path, number):
    bench.write(
        "waits.py",
        """
        import pathlib, time, jax

        jax.jit(lambda x: x + 1)(1.0)
        pathlib.Path("waits").touch()
        time.sleep(600)
        """,
    )
    stand_in_of_user(tmp_path / "cache")
    process = _started(bench, tmp_path, "waits.py")
    _until_there(bench.folder / "waits")
    # A shell tells its jobs that the terminal is gone, and so does the system.
    process.send_signal(number)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + number, stderr
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["state"] != "running"
    assert run["has_ended"]


def test_a_preflight_that_is_interrupted_again_says_so_and_does_not_go_on(preflight, bench, tmp_path):
    bench.write(
        "ends.py",
        """
        import atexit, pathlib, time, jax

        def end():
            pathlib.Path("ending").touch()
            time.sleep(600)

        atexit.register(end)
        jax.jit(lambda x: x + 1)(1.0)
        pathlib.Path("waits").touch()
        time.sleep(600)
        """,
    )
    stand_in_of_user(tmp_path / "cache")
    earlier = tmp_path / "run" / "prediction.json"
    earlier.parent.mkdir()
    earlier.write_text('{"was_cancelled": true}')
    process = _started(bench, tmp_path, "ends.py")
    _until_there(bench.folder / "waits")
    os.killpg(process.pid, signal.SIGINT)
    _until_there(bench.folder / "ending")
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert f"interrupted again before it had ended: {tmp_path / 'run'} holds no prediction." in stderr
    assert "Aborted" not in stderr
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (run["state"], run["has_ended"]) == ("failed", True)
    assert not earlier.exists(), "what an earlier preflight said is not of this one"


def test_an_interrupt_while_the_interpreter_is_asked_is_no_fault_of_it(preflight, bench, tmp_path):
    stand_in_of_user(tmp_path / "cache")
    bench.write("one.py", "import jax\n")
    slow = bench.folder / "python"
    slow.write_text(f'#!/bin/sh\ntouch "{bench.folder / "asked"}"\nsleep 600\n')
    slow.chmod(0o755)
    process = _started(bench, tmp_path, "one.py", python=slow)
    _until_there(bench.folder / "asked")
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "does not run" not in stderr
    assert "Aborted" not in stderr
    assert not (tmp_path / "run").exists()


def _started(bench, tmp_path, script, *, python=None):
    command = [sys.executable, "-m", "scopelight.cli.main", "preflight", "--tpu", "v5e-8"]
    process = subprocess.Popen(
        [*command, "--python", python or bench.python, "--out", tmp_path / "run", script],
        cwd=bench.folder,
        env={**bench.environment, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    bench.started.append(process)
    return process


def _until_there(file):
    until = time.monotonic() + 120
    while not file.exists():
        assert time.monotonic() < until
        time.sleep(0.05)

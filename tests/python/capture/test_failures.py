"""What goes wrong is one sentence and an exit code of its own."""

import subprocess
import sys

import pytest

from scopelight.capture.checks import (
    check_gpu_permission,
    check_kernel_cache,
    check_peaks,
    check_profiler,
    check_writable,
)
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.launching.interpreter import choose_interpreter
from scopelight.model.run.calibration import Calibration


def only_sentence(captured):
    (sentence,) = captured.stderr.splitlines()
    assert sentence.endswith(".")
    return sentence


def test_a_missing_script(bench):
    captured = bench.capture("absent.py")
    assert captured.returncode == Exit.SCRIPT_MISSING
    assert "absent.py" in only_sentence(captured)
    assert not captured.out.exists()


WITH_TPU_LIBRARY = """
    import jax.numpy as jnp
    from jax._src.lib import xla_client
    xla_client.pjrt_plugin_loaded = lambda name: name == "tpu"
    print(float(jnp.ones(3).sum()))
    for _ in range(300):
        jnp.ones((256, 256)).block_until_ready()
    """


def test_a_library_for_tpus_without_a_tpu_leaves_the_script_alone_and_says_so(bench):
    """jax's profiler ends the process there: `make test-tpu` has the real one."""
    bench.write("script.py", WITH_TPU_LIBRARY)
    captured = bench.capture("script.py")
    assert captured.stdout == "3.0\n"
    assert captured.returncode == Exit.NOT_TRACED
    sentence = only_sentence(captured)
    assert sentence.startswith("No trace could be taken: jax's profiler would end the script")
    assert "JAX_PLATFORMS=cpu" in sentence
    assert captured.run["failure"] == sentence


def test_doctor_tells_of_a_library_for_tpus_without_a_tpu():
    assert check_profiler("tpu", has_tpu_library=True).ok
    assert check_profiler("cpu", has_tpu_library=False).ok
    found = check_profiler("cpu", has_tpu_library=True)
    assert not found.ok
    assert "JAX_PLATFORMS=cpu" in found.remedy


@pytest.mark.parametrize("name", ["absent", "absent.part", "json.absent"])
def test_a_missing_module(bench, name):
    captured = bench.capture(name, is_module=True)
    assert captured.returncode == Exit.SCRIPT_MISSING
    assert name in only_sentence(captured)


def test_a_script_without_jax(bench):
    bench.write("script.py", "print('done')\n")
    captured = bench.capture("script.py")
    assert captured.returncode == Exit.JAX_NOT_USED
    assert captured.stdout == "done\n"
    assert "without importing jax" in only_sentence(captured)
    assert captured.run["state"] == "failed"


def test_a_script_that_imports_jax_alone(bench):
    bench.write("script.py", "import jax\n")
    captured = bench.capture("script.py")
    assert captured.returncode == Exit.JAX_NOT_USED
    assert "without using jax" in only_sentence(captured)


def test_a_failing_script_keeps_its_code(bench):
    bench.write("script.py", "raise SystemExit(3)\n")
    captured = bench.capture("script.py")
    assert captured.returncode == 3
    assert "exit code 3 before it imported jax" in only_sentence(captured)


def test_a_killed_script_ends_as_in_a_shell(bench):
    bench.write(
        "script.py",
        """
        import os, signal
        import jax, jax.numpy as jnp
        (jnp.ones((9, 9)) @ jnp.ones((9, 9))).block_until_ready()
        os.kill(os.getpid(), signal.SIGKILL)
        """,
    )
    captured = bench.capture("script.py")
    assert captured.returncode == 137
    assert "before a trace was saved" in only_sentence(captured)


def test_an_interpreter_without_jax(bench):
    venv = bench.folder / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    bench.write("script.py", "import jax\n")
    captured = type(bench)(bench.folder, str(venv / "bin" / "python")).capture("script.py")
    assert captured.returncode == Exit.NO_JAX
    assert "--python" in only_sentence(captured)


def test_something_that_is_no_interpreter(bench):
    bench.write("script.py", "import jax\n")
    captured = type(bench)(bench.folder, "/bin/false").capture("script.py")
    assert captured.returncode == Exit.INTERPRETER_MISSING
    assert "/bin/false" in only_sentence(captured)


def test_an_unwritable_folder(bench):
    bench.write("script.py", "import jax\n")
    (bench.folder / "run").write_text("a file stands here")
    captured = bench.capture("script.py")
    assert captured.returncode == Exit.UNWRITABLE
    assert "--out" in only_sentence(captured)


def test_the_interpreter_is_chosen_in_the_stated_order(tmp_path):
    python = tmp_path / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    active = {"VIRTUAL_ENV": str(tmp_path / "env"), "PATH": ""}
    assert choose_interpreter("/bin/sh", active) == "/bin/sh"
    assert choose_interpreter(None, active) == str(python)
    assert choose_interpreter(None, {"PATH": ""}) == sys.executable
    with pytest.raises(CaptureFailure) as failure:
        choose_interpreter(str(tmp_path / "absent"), active)
    assert failure.value.exit_code == Exit.INTERPRETER_MISSING


def test_every_failure_has_an_exit_code_of_its_own():
    codes = [int(code) for code in Exit]
    assert len(set(codes)) == len(codes)
    assert not {0, 1, 2} & set(codes) and max(codes) < 126


def test_gpu_permission_is_explained(tmp_path):
    parameters = tmp_path / "params"
    assert check_gpu_permission(parameters, is_root=False).ok
    parameters.write_text("RmProfilingAdminOnly: 1\n")
    restricted = check_gpu_permission(parameters, is_root=False)
    assert not restricted.ok and restricted.remedy
    assert check_gpu_permission(parameters, is_root=True).ok
    parameters.write_text("RmProfilingAdminOnly: 0\n")
    assert check_gpu_permission(parameters, is_root=False).ok


def test_folders_that_cannot_be_written_are_problems(tmp_path):
    (tmp_path / "file").write_text("")
    assert not check_writable("run folder", tmp_path / "file" / "runs", "elsewhere").ok
    assert check_writable("run folder", tmp_path / "new" / "runs", "elsewhere").ok
    blocked = {"NUMBA_CACHE_DIR": str(tmp_path / "file"), "HOME": str(tmp_path / "file")}
    assert not check_kernel_cache(tmp_path, blocked).ok
    assert check_kernel_cache(tmp_path, {"HOME": "/"}).ok


def test_doctor_says_what_rates_are_held_against():
    assert "first run" in check_peaks("cpu", ["cpu"], None).finding
    measured = Calibration({"f32": 1.5e12}, 2e10, None, 8, "A CPU", "0.10.2", others_ratio=0.5)
    finding = check_peaks("cpu", ["cpu"], measured).finding
    assert "1.5 TFLOP/s of f32, 20 GB/s" in finding
    assert "other processes" in finding
    finding = check_peaks("tpu", ["TPU v5 lite", "TPU v5 lite"], None).finding
    assert finding.count("197 TFLOP/s of bf16") == 1
    assert "as the profile states" in check_peaks("gpu", ["NVIDIA GeForce GTX 480"], None).finding

"""A script that ends without an exception is said to have ended with its code, or by its signal in words."""

import signal

import pytest

from scopelight.capture.conducting.endings import ending


def test_an_exit_code_is_named():
    assert ending(3) == "ended with exit code 3"
    assert ending(0) == "ended"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (signal.SIGKILL, "killed, by someone or by the system for want of memory (SIGKILL)"),
        (signal.SIGSEGV, "segmentation fault (SIGSEGV)"),
        (signal.SIGABRT, "aborted (SIGABRT)"),
        (signal.SIGTERM, "told to end (SIGTERM)"),
        (signal.SIGUSR1, "by the signal SIGUSR1"),
        (250, "by signal 250"),
    ],
)
def test_a_signal_is_named_in_words(number, said):
    assert said in ending(-number)


EARLY = "import sys\nsys.exit(3)\n"
AFTER_JAX = "import jax\nimport os\nos.kill(os.getpid(), 11)\n"
USES_JAX = "import jax, jax.numpy as jnp\n(jnp.ones((9, 9)) @ jnp.ones((9, 9))).block_until_ready()\n"
KILLED = f"{USES_JAX}import os\nos.kill(os.getpid(), 9)\n"
LEFT = f"{USES_JAX}import os\nos._exit(4)\n"


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (EARLY, 3, "ended with exit code 3 before it imported jax."),
        (AFTER_JAX, 139, "crashed with a segmentation fault (SIGSEGV) before it used jax on a device."),
        (KILLED, 137, "was killed, by someone or by the system for want of memory (SIGKILL) before a trace was saved."),
        (LEFT, 4, "left without Python's usual exit (os._exit, os.exec), with exit code 4, before a trace was saved."),
    ],
)
def test_a_capture_of_nothing_says_how_the_script_ended(bench, script, code, said):
    bench.write("script.py", script)
    captured = bench.capture("script.py")
    assert captured.returncode == code
    assert captured.run["failure"] == f"The script {said}"

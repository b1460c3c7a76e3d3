"""The exception that ended a script is recorded, with the user's own line."""

import signal

import pytest

FAILING = {
    "before jax": ("import math\n\ndef root(x):\n    return math.sqrt(x)\n\nroot(-1)\n", "ValueError", 4, "root"),
    "a library that is missing": ("import absent_library\n", "ModuleNotFoundError", 1, "<module>"),
    "an import from a package that it is not of": ("from .layers import Dense\n", "ImportError", 1, "<module>"),
    "no Python": ("import math\n\nx = (1,\n", "SyntaxError", 3, None),
    "while jax is used": (
        "import jax.numpy as jnp\n\nx = jnp.ones((2, 3))\ny = jnp.ones((4, 5))\nprint((x + 1).sum())\nprint(x @ y)\n",
        "TypeError",
        6,
        "<module>",
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_what_ended_a_script_is_recorded_with_the_line_of_the_user(bench, name):
    source, kind, line, function = FAILING[name]
    script = bench.write("script.py", source)
    captured = bench.capture("script.py")
    assert captured.returncode == 1
    error = captured.run["error"]
    assert (error["kind"], error["line"], error["function"]) == (kind, line, function)
    assert error["path"] == str(script)
    assert error["message"]
    assert f"{kind}: " in captured.stderr


def test_a_capture_of_nothing_fails_with_the_words_of_the_error(bench):
    bench.write("script.py", "import absent_library\n")
    captured = bench.capture("script.py")
    expected = (
        "The script ended with ModuleNotFoundError: No module named 'absent_library', before anything was captured."
    )
    assert captured.run["failure"] == expected
    assert captured.run["error"]["module"] == "absent_library"


def test_the_innermost_line_of_the_user_is_told_and_no_library_s(bench):
    bench.write("script.py", "import json\n\ndef read(text):\n    return json.loads(text)\n\n\nread('{')\n")
    error = bench.capture("script.py").run["error"]
    assert (error["kind"], error["line"], error["function"]) == ("JSONDecodeError", 4, "read")


@pytest.mark.parametrize(
    "source",
    [
        "import sys\nsys.exit(3)\n",
        "import sys\ntry:\n    raise ValueError('caught')\nexcept ValueError:\n    sys.exit('left')\n",
        "import threading\nthread = threading.Thread(target=lambda: 1 / 0)\nthread.start()\nthread.join()\n",
        "raise KeyboardInterrupt\n",
    ],
)
def test_a_script_that_ends_otherwise_has_no_error(bench, source):
    bench.write("script.py", source)
    assert bench.capture("script.py").run["error"] is None


def test_a_message_without_end_is_cut_and_one_that_cannot_be_told_is_none(bench):
    bench.write("script.py", "raise ValueError('x' * 1000 + '\\nsecond line')\n")
    message = bench.capture("script.py").run["error"]["message"]
    assert len(message) == 200
    assert message.endswith("…")


def test_a_script_that_is_killed_has_no_error(bench):
    bench.write("script.py", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    captured = bench.capture("script.py")
    assert captured.returncode == 128 + signal.SIGKILL
    assert captured.run["error"] is None

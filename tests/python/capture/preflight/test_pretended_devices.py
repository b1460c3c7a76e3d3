"""A script that asks for TPUs by name, or writes files, goes on as on a TPU, and what differs is told."""

import pytest

from scopelight.capture.failures import Exit


def findings(predicted):
    return {each["code"]: each["values"] for each in predicted.run["findings"]}


def test_a_script_that_wants_tpus_by_name_has_what_stands_for_them(preflight, bench):
    bench.write(
        "wants.py",
        """
        import os
        os.environ["JAX_PLATFORMS"] = "tpu"
        import jax, jax.numpy as jnp
        jax.config.update("jax_platforms", "tpu,cpu")
        print("wants", len(jax.devices("tpu")), len(jax.devices("cpu")), jax.default_backend())
        print("result", jax.jit(lambda x: x + 1)(jnp.ones(3)).tolist())
        """,
    )
    predicted = preflight("wants.py")
    assert "wants 8 8 tpu" in predicted.stderr, predicted.stderr
    assert "result [2.0, 2.0, 2.0]" in predicted.stderr
    assert findings(predicted) == {}


def test_a_script_of_a_pod_is_one_process_here(preflight, bench):
    bench.write(
        "pod.py",
        """
        import jax, jax.numpy as jnp
        jax.distributed.initialize()
        print("pod", jax.process_index(), jax.process_count(), jax.device_count())
        jax.jit(lambda x: x + 1)(jnp.ones(3))
        """,
    )
    predicted = preflight("pod.py")
    assert "pod 0 1 8" in predicted.stderr, predicted.stderr
    assert findings(predicted) == {"prediction-one-process": {}}


def test_a_script_with_another_number_of_devices_is_told(preflight, bench):
    bench.write(
        "four.py",
        """
        import os
        os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
        import jax, jax.numpy as jnp
        jax.jit(lambda x: x + 1)(jnp.ones(3))
        """,
    )
    predicted = preflight("four.py")
    assert findings(predicted) == {"prediction-other-devices": {"devices": 4, "asked": 8, "target": "v5e-8"}}


def test_files_that_a_script_writes_are_named(preflight, bench):
    bench.write(
        "writes.py",
        """
        import os, numpy as np, jax, jax.numpy as jnp
        w = jax.jit(lambda x: x + 1)(jnp.ones(3))
        np.save("best.npy", np.asarray(w))
        os.makedirs("logs", exist_ok=True)
        with open("logs/train.csv", "a") as log:
            log.write("0\\n")
        open("writes.py").read()
        """,
    )
    predicted = preflight("writes.py")
    assert predicted.returncode == 0, predicted.stderr
    assert findings(predicted) == {"prediction-wrote-files": {"files": ["best.npy", "logs/train.csv"]}}
    assert "what it prints and writes of them says nothing" in predicted.stderr


STARTS = """
import multiprocessing
import jax

def work(number):
    with open("out.txt", "w") as file:
        file.write(str(jax.jit(lambda x: (x + number).max())(jax.numpy.ones(1000))))

if __name__ == "__main__":
    process = multiprocessing.get_context("{way}").Process(target=work, args=(2,))
    process.start()
    process.join()
    jax.jit(lambda x: x * 2)(1.0)
"""


@pytest.mark.parametrize(
    ("way", "is_dry", "said"),
    [
        ("spawn", False, ["prediction-spawned-processes"]),
        ("forkserver", False, ["prediction-spawned-processes"]),
        ("fork", True, []),
    ],
)
def test_processes_that_a_script_starts_compute_and_it_is_said(preflight, bench, way, is_dry, said):
    bench.write("starts.py", STARTS.format(way=way))
    predicted = preflight("starts.py")
    assert predicted.returncode == 0, predicted.stderr
    assert list(findings(predicted)) == said
    assert float((bench.folder / "out.txt").read_text()) == (0.0 if is_dry else 3.0)


def test_a_script_that_computes_writes_results(preflight, bench):
    bench.write(
        "saves.py",
        "import numpy as np, jax\nnp.save('best.npy', np.asarray(jax.jit(lambda x: x + 1)(1.0)))\n",
    )
    assert findings(preflight("saves.py", options=("--observe",))) == {}


def test_a_script_that_does_not_end_by_itself_is_said_to_before_anything_else(preflight, bench):
    bench.write(
        "divides.py",
        """
        import jax, jax.numpy as jnp
        loss = jax.jit(lambda x: x.sum())(jnp.ones(1000))
        print(1 / float(loss))
        """,
    )
    predicted = preflight("divides.py")
    assert predicted.returncode == 1
    assert list(findings(predicted)) == ["prediction-cut-short"]
    said = "warning: The script ended with exit code 1 by ZeroDivisionError at divides.py:4"
    assert predicted.stdout.startswith(said)
    assert predicted.stdout.count("The script ended") == 1


def test_a_signal_is_in_the_exit_code_as_shells_have_it(preflight, bench):
    bench.write(
        "killed.py",
        "import os, signal, jax\njax.jit(lambda x: x + 1)(1.0)\nos.kill(os.getpid(), signal.SIGKILL)\n",
    )
    predicted = preflight("killed.py")
    assert predicted.returncode == 137
    assert predicted.run["exit_code"] == 137
    assert predicted.returncode not in set(Exit)


def test_a_script_ends_without_a_word_of_ours(preflight, bench):
    bench.write("train.py", "import jax; jax.jit(lambda w: w + 1)(1.0)\n")
    assert "Traceback" not in preflight("train.py").stderr

"""Several TPUs, or values of an argument of the script, are a run of each."""

import pytest

from scopelight.capture.launching.launch import Script
from scopelight.capture.preflight.variants import variants, with_argument
from scopelight.capture.tpu_compiler.topologies import topology_named


@pytest.mark.parametrize(
    ("arguments", "name", "expected"),
    [
        (("--batch", "8", "--fast"), "--batch", ("--batch", "64", "--fast")),
        (("--fast", "--batch=8"), "--batch", ("--fast", "--batch=64")),
        (("--batch", "8"), "batch", ("--batch", "64")),
        (("-batch", "8"), "--batch", ("-batch", "64")),
        (("-batch=8",), "batch", ("-batch=64",)),
        (("--fast",), "batch", ("--fast", "--batch=64")),
        ((), "-b", ("-b=64",)),
        # Another argument whose name begins so is another.
        (("--batch-size", "8"), "--batch", ("--batch-size", "8", "--batch=64")),
        # Its value is missing: the script will say so.
        (("--batch",), "--batch", ("--batch", "--batch=64")),
    ],
)
def test_an_argument_has_another_value(arguments, name, expected):
    assert with_argument(Script("train.py", arguments), name, "64").arguments == expected


def test_each_tpu_has_each_value():
    topologies = [topology_named("v5e-8"), topology_named("v6e-8")]
    script = Script("train.py", ("--batch", "8"))
    assert [each.name for each in variants(script, topologies)] == ["v5e-8", "v6e-8"]
    found = variants(script, topologies, "--batch", ["64", "128"])
    assert [each.name for each in found] == ["v5e-8 batch 64", "v5e-8 batch 128", "v6e-8 batch 64", "v6e-8 batch 128"]
    assert [each.script.arguments[1] for each in found] == ["64", "128", "64", "128"]


def test_what_is_asked_for_twice_is_run_once():
    topologies = [topology_named(each) for each in ("v5e:2x4", "v6e-8", "v5e-8", "v6e-8")]
    found = variants(Script("train.py"), topologies, "batch", ["8", "16", "8"])
    assert [each.name for each in found] == ["v5e:2x4 batch 8", "v5e:2x4 batch 16", "v6e-8 batch 8", "v6e-8 batch 16"]


PARSES = """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=1)
batch = parser.parse_args().batch

import jax, jax.numpy as jnp

jax.jit(lambda x: x + 1)(jnp.zeros(batch))
"""


def test_an_argument_that_the_script_does_not_know_is_said_once(preflight, bench):
    bench.write("parses.py", PARSES)
    predicted = preflight("parses.py", options=("--batch", "1,2,3", "--arg", "--nope"))
    assert predicted.returncode == 2
    assert predicted.stderr.count("usage: ") == 1
    said = [each for each in predicted.stderr.splitlines() if each.startswith("scopelight: ")]
    assert said[1:] == [
        "scopelight: parses.py ended with exit code 2 before any program of it, as scripts do that do not know an"
        " argument: it was given --nope=1. The 2 other runs were not tried."
    ]


def test_a_value_that_the_script_does_not_take_keeps_no_other_from_being_tried(preflight, bench):
    bench.write("parses.py", PARSES)
    predicted = preflight("parses.py", options=("--batch", "1,many,3", "--arg", "--batch"), out="sweep")
    assert predicted.returncode == 2
    assert sum((each / "prediction.json").is_file() for each in predicted.out.iterdir()) == 3
    assert predicted.stderr.count("the prediction is kept") == 2


def test_a_script_for_several_tpus_leaves_a_run_of_each(preflight, scripts_of_predictions):
    predicted = preflight(scripts_of_predictions["step"], options=("--tpu", "v5e-8,v6e-4"), out="both")
    assert predicted.returncode == 0, predicted.stderr
    assert sorted(each.name for each in predicted.out.iterdir()) == ["v5e-8", "v6e-4"]


def test_a_script_that_observes_computes(preflight, bench):
    bench.write(
        "computes.py",
        """
        import jax, jax.numpy as jnp

        step = jax.jit(lambda x: x * 2 + 1)
        x = jnp.ones(3)
        for _ in range(2):
            x = step(x)
        print("computed", x.tolist(), jax.default_backend())
        """,
    )
    predicted = preflight("computes.py", options=("--observe",))
    assert "computed [7.0, 7.0, 7.0] cpu" in predicted.stderr, predicted.stderr
    assert predicted.prediction["mode"] == "observe"
    assert ("jit(<lambda>)", 2) in predicted.called

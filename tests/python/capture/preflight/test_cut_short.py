"""Of a script that does not end by itself it is said how, and to compute only where the zeros may be why."""

import pytest

BEGINS = "import sys, jax, jax.numpy as jnp\nloss = jax.jit(lambda x: (x @ x).sum())(jnp.ones((64, 64)))\n"


@pytest.mark.parametrize(
    ("ends", "options", "expected"),
    [
        ("1 / float(loss)", (), ("ZeroDivisionError", True)),
        ("1 / 0", ("--observe",), ("ZeroDivisionError", False)),
        ("sys.exit(3)", (), (None, False)),
        ("import nowhere", (), ("ModuleNotFoundError", False)),
        ("from jax import nothing", (), ("ImportError", False)),
        ("import broken", (), ("SyntaxError", False)),
        ("raise KeyboardInterrupt", (), (None, False)),
    ],
)
def test_it_is_said_to_compute_where_zeros_may_be_why(preflight, bench, ends, options, expected):
    bench.write("broken.py", "if\n")
    bench.write("ends.py", f"{BEGINS}{ends}\n")
    predicted = preflight("ends.py", options=options)
    assert predicted.returncode != 0
    (values,) = (each["values"] for each in predicted.run["findings"] if each["code"] == "prediction-cut-short")
    assert (values["error"], values["may_be_for_zeros"]) == expected
    assert predicted.stdout.count("The script ") == 1, predicted.stdout
    assert predicted.stdout.count("with --observe") == expected[1], predicted.stdout

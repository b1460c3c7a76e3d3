"""Lines that ask a device of what kind it is are named, however they do, and jax's own are not."""

import pytest

ASKS = """
import platform, jax, jax.numpy as jnp

here = jax.devices()[0].platform
scale = 2 if here == "tpu" else 3
peak = {"TPU v5 lite": 197e12}.get(jax.local_devices()[0].device_kind, 1e12)

def kinds(x):
    return {
        each.platform
        for each in x.devices()
    }

x = jnp.ones(3)
for _ in range(3):
    kinds(x)
print(getattr(jax.devices()[0], "platform"), platform.platform())
print(jax.devices()[0].client.platform)
if False:
    jax.devices()[0].platform
if jax.default_backend() == "tpu":
    jax.jit(lambda x: x * scale)(x)
jax.jit(lambda x: x * peak)(x)
"""


@pytest.mark.parametrize(("options", "lines"), [((), [4, 6, 10, 17, 18]), (("--observe",), [4, 6, 10, 17, 18, 21])])
def test_lines_that_ask_are_named(preflight, bench, options, lines):
    bench.write("asks.py", ASKS)
    predicted = preflight("asks.py", options=options)
    assert predicted.returncode == 0, predicted.stderr
    (asks,) = predicted.run["findings"]
    assert asks["code"] == "prediction-asks-for-device"
    assert asks["values"] == {"places": [f"asks.py:{each}" for each in lines]}


def test_a_script_that_does_not_ask_is_told_nothing(preflight, bench):
    bench.write(
        "plain.py", "import jax, jax.numpy as jnp\nprint(jax.jit(lambda x: x + 1)(jnp.ones(3)), jax.devices())\n"
    )
    assert preflight("plain.py").run["findings"] == []

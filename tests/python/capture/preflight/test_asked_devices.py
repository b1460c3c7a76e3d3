"""Lines that ask for the device are found, and others not."""

import pytest

from scopelight.capture.preflight.asked_devices import asking_lines

TEXT = """
import platform, jax
if jax.devices()[0].platform == "tpu":
    pass
kind = jax.devices()[0].device_kind.lower()
print(platform.platform())
# jax.devices()[0].platform == "tpu"
if jax.default_backend() == "tpu":
    pass
if device.platform in ("tpu", "axon"):
    pass
run.platform = 3
"""


@pytest.mark.parametrize(("mode", "lines"), [("dry", [3, 5, 10]), ("observe", [3, 5, 8, 10])])
def test_lines_that_ask_are_found(tmp_path, mode, lines):
    file = tmp_path / "train.py"
    file.write_text(TEXT)
    found = list(asking_lines([file, tmp_path / "absent.py"], mode))
    assert found == [(file, line) for line in lines]


def test_a_script_that_asks_is_told(preflight, bench):
    bench.write(
        "asks.py",
        """
        import jax, jax.numpy as jnp

        scale = 2 if jax.devices()[0].platform == "tpu" else 3
        jax.jit(lambda x: x * scale)(jnp.ones(3))
        """,
    )
    predicted = preflight("asks.py", orders={})
    (asks,) = predicted.run["findings"]
    assert (asks["code"], asks["values"]) == ("prediction-asks-for-device", {"places": ["asks.py:4"]})

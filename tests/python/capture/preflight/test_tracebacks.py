"""What a script's errors show are its own frames, as without us."""

import pytest

RAISES = """
import traceback
import jax, jax.numpy as jnp

def branches(x):
    return x if x.sum() > 0 else -x

def shown(call):
    try:
        call()
    except Exception as error:
        traceback.print_exception(error, chain=False)

x = jnp.ones((64, 64))
shown(lambda: jax.jit(branches)(x))
shown(lambda: jax.jit(lambda a: a @ jnp.ones((3, 3)))(x))
shown(lambda: jax.jit(branches).lower(x))
shown(lambda: jax.jit(lambda a: a)(object()))
jax.jit(lambda x: x + 1)(x)
"""


@pytest.mark.parametrize("options", [(), ("--observe",)])
def test_no_frames_of_ours_are_in_the_tracebacks_that_jax_filters(preflight, bench, options):
    bench.write("raises.py", RAISES)
    predicted = preflight("raises.py", options=options)
    assert predicted.returncode == 0, predicted.stderr
    assert predicted.stderr.count("Traceback") == 4, predicted.stderr
    assert "/shim/" not in predicted.stderr, predicted.stderr

"""Scripts where the library for TPUs is, and no TPU. `make test-tpu` has it; elsewhere these skip."""

from scopelight.capture.failures import Exit

STEPS = """
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(weights):
        return jnp.tanh(weights @ weights)

    weights = jnp.eye(256)
    for _ in range(400):
        weights = step(weights)
    print(jax.default_backend(), weights.shape[0])
    """


def test_a_script_that_jax_falls_back_to_the_cpu_for_ends_well_and_is_told_of_it(tpu_bench):
    tpu_bench.write("script.py", STEPS)
    environment = {name: value for name, value in tpu_bench.environment.items() if name != "JAX_PLATFORMS"}
    captured = tpu_bench.capture("script.py", environment=environment)
    assert captured.stdout == "cpu 256\n"
    assert captured.returncode == Exit.NOT_TRACED
    assert "JAX_PLATFORMS=cpu" in captured.run["failure"]


def test_the_same_script_is_captured_on_the_cpu_alone(tpu_bench):
    tpu_bench.write("script.py", STEPS)
    captured = tpu_bench.capture("script.py")
    assert captured.stdout == "cpu 256\n"
    assert captured.returncode == 0
    assert captured.run["state"] == "captured"

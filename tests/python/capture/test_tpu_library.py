"""Scripts where the library for TPUs is, and no TPU. `make test-tpu` has it; elsewhere these skip."""

from scopelight.analysis.memory.profile.memory_profile import memory_profile
from scopelight.analysis.totals.frames import LineOptions
from scopelight.capture.failures import Exit
from scopelight.model.opening.profile import open_profile

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

WITHOUT_ROOM = """
    import os
    os.environ["TPU_SKIP_MDS_QUERY"] = "1"
    import jax
    import jax.numpy as jnp
    from jax.experimental import topologies
    from jax.sharding import SingleDeviceSharding

    topology = topologies.get_topology_desc(platform="tpu", topology_name="v5e:2x2")
    sharding = SingleDeviceSharding(topology.devices[0])

    def attention(queries, keys):
        return jax.nn.softmax(queries @ keys.T, axis=-1)

    def loss(queries, keys):
        weights = attention(queries, keys)
        return (weights @ weights.T).sum()

    argument = jax.ShapeDtypeStruct((120_000, 128), jnp.float32, sharding=sharding)
    jax.jit(jax.grad(loss)).lower(argument, argument).compile()
    """
WITHOUT_ROOM_LINES = {13, 17}


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


def test_a_program_without_room_on_a_tpu_names_the_lines_of_its_largest_buffers(tpu_bench, tmp_path):
    tpu_bench.write("script.py", WITHOUT_ROOM)
    flags = f"--xla_dump_to={tmp_path / 'dump'} --xla_dump_hlo_as_proto"
    captured = tpu_bench.capture("script.py", environment={**tpu_bench.environment, "XLA_FLAGS": flags})
    assert captured.returncode == 1
    options = LineOptions(roots=(str(captured.out.parent),))
    record = memory_profile(open_profile(captured.out), options).out_of_memory
    assert record.stage == "compile"
    assert record.requested_bytes > record.limit_bytes > 8 << 30
    first = record.culprits[0]
    assert (first.path, first.basis) == ("script.py", "compiler")
    assert first.line in WITHOUT_ROOM_LINES
    assert first.bytes > 120_000**2 * 4 * 0.9

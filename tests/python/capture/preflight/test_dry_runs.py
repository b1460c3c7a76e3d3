"""A script whose programs are caught runs to its end on zeros, sees a TPU, and finds gone what it gave away."""

import json


def test_a_script_runs_on_zeros_and_sees_a_tpu(preflight, bench):
    bench.write(
        "train.py",
        """
        import jax, jax.numpy as jnp

        @jax.jit
        def step(w):
            return w @ w + 1, jnp.sum(w)

        w = jnp.ones((64, 64))
        for _ in range(3):
            w, loss = step(w)
        print(jax.default_backend(), len(jax.devices()), float(loss), w.shape, w.dtype)
        """,
    )
    predicted = preflight("train.py")
    assert predicted.returncode == 0, predicted.stderr
    assert "tpu 8 0.0 (64, 64) float32" in predicted.stderr
    assert ("jit(step)", 3) in predicted.called
    assert predicted.run["predicted_for"] == "v5e-8"
    assert predicted.run["state"] == "captured"


def test_arrays_take_no_memory(preflight, bench):
    """Sixteen terabytes of weights, and their gradients."""
    bench.write(
        "large.py",
        """
        import resource, jax, jax.numpy as jnp

        @jax.jit
        def initial():
            return [jnp.zeros((1 << 20, 1 << 20), jnp.float32) for _ in range(4)]

        weights = initial()
        gradients = jax.jit(lambda weights: jax.tree.map(lambda w: 2 * w, weights))(weights)
        print("took", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10, "MiB")
        """,
    )
    predicted = preflight("large.py")
    assert predicted.returncode == 0, predicted.stderr
    took = int(predicted.stderr.partition("took ")[2].split()[0])
    assert took < 1024


def test_copies_on_many_devices_take_no_memory(preflight, bench):
    """Zeros like sharded ones, arrays placed by hand or by being an argument: each would take hundreds of megabytes."""
    bench.write(
        "spread.py",
        """
        import jax, jax.numpy as jnp, numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding

        mesh = Mesh(np.array(jax.devices()), ("x",))
        sharded, replicated, columns = (NamedSharding(mesh, P(*spec)) for spec in (["x"], [], [None, "x"]))
        turned = NamedSharding(Mesh(np.array(jax.devices()[::-1]), ("x",)), P("x"))

        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * 4096

        shape = (1024, 1024, 64)
        host = np.zeros(shape, np.float32)
        first = jax.jit(lambda s: jnp.zeros(shape) + s, out_shardings=sharded)(0.0)
        alone = jnp.zeros(shape)
        double = jax.jit(lambda a, b: (a, b), in_shardings=(sharded, replicated))
        keys = jax.random.split(jax.random.key(0), (1024, 1024, 8))
        ways = dict(
            like=lambda: jnp.zeros_like(first),
            typed=lambda: jnp.zeros_like(first, dtype=jnp.bfloat16),
            made=lambda: jnp.full(shape, 3, device=sharded),
            spread=lambda: jax.device_put(alone, sharded),
            replicated=lambda: jax.device_put(alone, replicated),
            moved=lambda: jax.device_put(first, columns),
            turned=lambda: jax.device_put(first, turned),
            gathered=lambda: jax.device_put(first, replicated),
            elsewhere=lambda: jax.device_put(alone, jax.devices()[3]),
            to_one=lambda: jax.device_put(first, SingleDeviceSharding(jax.devices()[1])),
            copied=lambda: jnp.array(first, copy=True),
            own=lambda: jax.device_put(first, sharded, may_alias=False),
            callback=lambda: jax.make_array_from_callback(shape, sharded, lambda index: host[index]),
            host=lambda: jax.device_put(host, replicated),
            argument=lambda: double(host, host),
            array_argument=lambda: double(alone, alone),
            keys=lambda: jax.device_put(keys, replicated),
            many=lambda: [jax.device_put(jnp.ones(1 << 18), replicated) for _ in range(100)],
        )
        kept = []
        for name, make in ways.items():
            before = resident()
            made = make()
            jax.block_until_ready(made)
            kept.append(made)
            each = jax.tree.leaves(made)[0]
            print(name, "took", (resident() - before) >> 20, each.shape, each.dtype, each.committed)
            if name in ("made", "spread", "moved", "host", "keys"):
                expected = dict(made=sharded, spread=sharded, moved=columns, host=replicated, keys=replicated)[name]
                assert each.sharding.is_equivalent_to(expected, each.ndim), each.sharding
                assert len(each.addressable_shards) == 8
        assert np.asarray(kept[-1][0]).max() == 0.0
        part = np.asarray(kept[0].addressable_shards[3].data)
        assert not part.flags.writeable and part.max() == 0
        small = jax.device_put(np.arange(80.0, dtype=np.float32), replicated)
        middle = jax.device_put(np.arange(1 << 19, dtype=np.float32), replicated)
        print("values", np.asarray(small)[5], np.asarray(middle.addressable_shards[6].data)[7])
        kept[1].delete()
        print("mappings", sum(1 for _ in open("/proc/self/maps")), float(kept[0].addressable_shards[1].data[0, 0, 0]))
        """,
    )
    predicted = preflight("spread.py")
    assert predicted.returncode == 0, predicted.stderr
    ways = [line.split() for line in predicted.stderr.splitlines() if " took " in line]
    assert len(ways) == 18, predicted.stderr
    assert {way: int(took) for way, _, took, *_ in ways if int(took) > 100} == {}, predicted.stderr
    assert {way for way, *_, committed in ways if committed == "False"} <= {"copied"}
    assert "values 5.0 7.0" in predicted.stderr


def test_what_was_donated_is_gone(preflight, bench):
    bench.write(
        "donates.py",
        """
        import functools, jax, jax.numpy as jnp

        @functools.partial(jax.jit, donate_argnums=(0, 2))
        def step(state, batch, more):
            return state + batch.sum(), more * 2

        state, batch, more = jnp.zeros(8), jnp.ones(4), jnp.zeros(8)
        new, newer = step(state, batch, more)
        print("deleted", state.is_deleted(), batch.is_deleted(), more.is_deleted(), new.is_deleted())
        """,
    )
    predicted = preflight("donates.py")
    assert "deleted True False True False" in predicted.stderr, predicted.stderr


def test_keys_trees_empty_arrays_and_nested_calls_are_what_they_were(preflight, bench):
    bench.write(
        "kinds.py",
        """
        import jax, jax.numpy as jnp, numpy as np

        key = jax.random.key(3)
        keys = jax.random.split(key, 4)
        print("keys", keys.shape, jax.random.normal(keys[1], (2,)).tolist())

        @jax.jit
        def inner(x):
            return {"a": x[:0], "b": (x > 0, x.astype(jnp.bfloat16), jnp.int8(3))}

        @jax.jit
        def outer(x):
            return jax.vmap(lambda row: inner(row))(x)

        out = outer(jnp.ones((3, 5)))
        print("tree", jax.tree.map(lambda each: (each.shape, str(each.dtype)), out))
        print("eager", (jnp.arange(6).reshape(2, 3) + 1).sum().item(), np.asarray(jnp.linspace(0, 1, 3)).tolist())
        loss, gradient = jax.value_and_grad(lambda w: jnp.sum(w * w))(jnp.ones(3))
        print("gradient", gradient.tolist())
        """,
    )
    predicted = preflight("kinds.py")
    assert predicted.returncode == 0, predicted.stderr
    assert "keys (4,) [0.0, 0.0]" in predicted.stderr
    assert "'a': ((3, 0), 'float32')" in predicted.stderr
    assert "'b': (((3, 5), 'bool'), ((3, 5), 'bfloat16'), ((3,), 'int8'))" in predicted.stderr
    assert "eager 21 [0.0, 0.5, 1.0]" in predicted.stderr
    assert "gradient [2.0, 2.0, 2.0]" in predicted.stderr


def test_callbacks_are_work_of_the_host_on_their_line(preflight, bench):
    script = bench.write(
        "callbacks.py",
        """
        import jax, jax.numpy as jnp, numpy as np
        from jax.experimental import io_callback

        @jax.jit
        def step(x):
            jax.debug.print("x {}", x.sum())
            y = jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
            io_callback(print, None, x[0], ordered=True)
            return y * 2

        for _ in range(2):
            print("result", step(jnp.ones(3)).tolist())
        """,
    )
    predicted = preflight("callbacks.py")
    assert predicted.stderr.count("result [0.0, 0.0, 0.0]") == 2, predicted.stderr
    (step,) = (each for each in predicted.prediction["programs"] if each["name"] == "jit(step)")
    lines = script.read_text().splitlines()
    places = {
        each["primitive"].replace("debug_callback", "debug_print"): lines[each["stack"][0]["line"] - 1].strip()
        for each in step["host_calls"]
    }
    assert places == {
        "debug_print": 'jax.debug.print("x {}", x.sum())',
        "pure_callback": "y = jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)",
        "io_callback": "io_callback(print, None, x[0], ordered=True)",
    }


def test_side_effects_without_a_result_and_checks_for_what_is_no_number_go_on(preflight, bench):
    bench.write(
        "effects.py",
        """
        import jax, jax.numpy as jnp
        from jax.experimental import io_callback

        jax.config.update("jax_debug_nans", True)

        @jax.jit
        def tell(x):
            io_callback(print, None, x, ordered=True)

        for _ in range(2):
            tell(jnp.float32(3))
        y = jax.jit(lambda x: jnp.log(x))(jnp.ones(3))
        print("went on", y.tolist())
        """,
    )
    predicted = preflight("effects.py")
    assert "went on [0.0, 0.0, 0.0]" in predicted.stderr, predicted.stderr


def test_a_kernel_that_only_a_tpu_has_runs_dry(preflight, scripts_of_predictions):
    predicted = preflight(scripts_of_predictions["kernels"])
    assert predicted.returncode == 0, predicted.stderr
    assert set(predicted.outcomes.values()) == {"compiled"}


def test_what_jax_has_no_way_to_say_for_a_tpu_is_told_and_the_script_goes_on(preflight, bench):
    bench.write(
        "refused.py",
        """
        import jax, jax.numpy as jnp

        step = jax.jit(lambda x: jnp.linalg.eig(x)[0])
        x = jnp.ones((4, 4))
        for _ in range(3):
            values = step(x)
        print("values", values.shape, values.dtype)
        """,
    )
    predicted = preflight("refused.py")
    assert "values (4,) complex64" in predicted.stderr, predicted.stderr
    (refused,) = (each for each in predicted.prediction["programs"] if each["outcome"] == "not-lowered")
    assert "eig" in refused["message"]
    assert predicted.called[-1][1] == 3


def test_an_operation_that_runs_by_itself_is_on_the_line_that_calls_it(preflight, bench):
    script = bench.write(
        "eager.py",
        """
        import jax, jax.numpy as jnp

        def values(x):
            return jnp.linalg.eig(x)[0]

        print(values(jnp.ones((4, 4))).shape)
        """,
    )
    predicted = preflight("eager.py")
    said = json.loads((predicted.out / "compatibility.json").read_text())
    (place,) = (
        [said["frames"][frame] for frame in said["stacks"][stack]]
        for program in said["programs"]
        for op, stack in zip(program["op"], program["stack"], strict=True)
        if said["ops"][op]["primitive"] == "eig"
    )
    assert [(each["path"], each["line"]) for each in place] == [(str(script), 5), (str(script), 7)]


def test_sharded_scripts_see_as_many_devices_and_their_own_shardings(preflight, bench):
    bench.write(
        "sharded.py",
        """
        import jax, jax.numpy as jnp
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
        import numpy as np

        mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
        place = lambda *spec: NamedSharding(mesh, P(*spec))
        w = jax.device_put(jnp.ones((64, 32)), place(None, "model"))
        x = jax.device_put(jnp.ones((16, 64)), place("data"))
        step = jax.jit(lambda w, x: (w * 2, x @ w), out_shardings=(place(None, "model"), place("data", "model")))
        for _ in range(2):
            w, y = step(w, x)
        print("sharded", y.sharding.spec, [each.data.shape for each in y.addressable_shards][:2], y.sum().item())
        """,
    )
    predicted = preflight("sharded.py")
    assert "'data', 'model') [(4, 16), (4, 16)] 0.0" in predicted.stderr, predicted.stderr
    (step,) = (each for each in predicted.prediction["programs"] if "lambda" in each["name"])
    assert step["partitions"] == 8


def test_mapped_scripts_are_caught_too(preflight, bench):
    bench.write(
        "mapped.py",
        """
        import jax, jax.numpy as jnp

        step = jax.pmap(lambda x: jax.lax.psum(x * 2, "i"), axis_name="i")
        x = jnp.ones((jax.device_count(), 16))
        for _ in range(2):
            y = step(x)
        print("mapped", y.shape)
        """,
    )
    predicted = preflight("mapped.py")
    assert "mapped (8, 16)" in predicted.stderr, predicted.stderr
    assert 8 in {each["partitions"] for each in predicted.prediction["programs"]}


def test_a_programs_second_call_is_no_second_program(preflight, scripts_of_predictions):
    predicted = preflight(scripts_of_predictions["step"])
    assert predicted.called == [("jit(initial)", 1), ("jit(train_step)", 3)]


def test_a_compiled_program_says_what_the_compiler_says(preflight, bench):
    bench.write(
        "ahead.py",
        """
        import functools, jax, jax.numpy as jnp

        def initial(x):
            return x * 2

        def unheard_of(x):
            return x + 1

        compiled = jax.jit(initial).lower(jnp.ones(4)).compile()
        memory, costs = compiled.memory_analysis(), compiled.cost_analysis()
        print("memory", memory.temp_size_in_bytes, memory.host_temp_size_in_bytes)
        print("costs", (costs[0] if isinstance(costs, list) else costs)["flops"])
        text = compiled.as_text()
        print("text", text is None or text.startswith("HloModule jit_initial"), text is None)
        print("again", compiled.memory_analysis() == memory, compiled(jnp.ones(4)).tolist())
        other = jax.jit(unheard_of).lower(jnp.ones(4)).compile()
        print("other", other.memory_analysis(), other.cost_analysis(), other.as_text())
        """,
    )
    predicted = preflight("ahead.py")
    assert predicted.returncode == 0, predicted.stderr
    assert "memory 4096 0" in predicted.stderr, predicted.stderr
    assert "costs 12.0" in predicted.stderr
    assert "text True" in predicted.stderr
    assert "again True [2.0, 2.0, 2.0, 2.0]" in predicted.stderr
    assert "other None None None" in predicted.stderr


def test_results_lie_in_the_memory_that_the_script_asks_for(preflight, bench):
    bench.write(
        "offload.py",
        """
        import jax, jax.numpy as jnp, numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

        mesh = Mesh(np.array(jax.devices()), ("x",))
        kinds = [each.kind for each in jax.devices()[0].addressable_memories()]
        kind = "pinned_host" if "pinned_host" in kinds else kinds[0]
        on_host = NamedSharding(mesh, P("x"), memory_kind=kind)
        x = jax.jit(lambda x: x * 2, out_shardings=on_host)(jnp.ones((8, 4)))
        parts = {each.data.sharding.memory_kind for each in x.addressable_shards}
        print("kept", x.sharding.memory_kind == kind, parts == {kind})
        """,
    )
    predicted = preflight("offload.py")
    assert predicted.returncode == 0, predicted.stderr
    assert "kept True True" in predicted.stderr


def test_gradients_of_whole_numbers_are_of_no_type(preflight, bench):
    bench.write(
        "whole.py",
        """
        import jax, jax.numpy as jnp

        gradient = jax.grad(lambda i, x: x * 2.0, argnums=(0, 1), allow_int=True)(jnp.arange(3)[0], 1.0)
        print("gradient", jax.tree.map(lambda each: (each.shape, each.dtype == jax.dtypes.float0), gradient))
        """,
    )
    predicted = preflight("whole.py")
    assert "gradient (((), True), ((), False))" in predicted.stderr, predicted.stderr

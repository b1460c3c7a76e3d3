"""What a script computes of what it knows is computed in a dry run too: its loops run as often as they would."""


def printed(predicted):
    assert predicted.returncode == 0, predicted.stderr
    return predicted.stderr


def test_rows_are_gone_through_however_many_there_are(preflight, bench):
    bench.write(
        "rows.py",
        """
        import jax, jax.numpy as jnp
        for count in (1, 99, 100, 101, 250):
            rows = jnp.ones((count, 2, 700))
            keys = jax.random.split(jax.random.key(0), count)
            print("rows", count, sum(1 for _ in rows), len(list(keys)), len([*jnp.arange(count)]))
        """,
    )
    said = printed(preflight("rows.py"))
    for count in (1, 99, 100, 101, 250):
        assert f"rows {count} {count} {count} {count}" in said


def test_sizes_counters_and_loops_over_them_are_what_they_are(preflight, bench):
    bench.write(
        "sizes.py",
        """
        import jax, jax.numpy as jnp

        @jax.jit
        def step(w, rate):
            return w - rate * w

        w, count = jnp.ones((256, 256)), int(jnp.ceil(1000 / 128))
        done = jnp.int32(0)
        while done < count:
            rate = jnp.where(done < 4, 0.1, 0.1 * 0.5 ** done)
            w, done = step(w, rate), done + 1
        print("batches", count, int(done), round(float(rate), 6))
        """,
    )
    predicted = preflight("sizes.py")
    assert "batches 8 8 0.000781" in printed(predicted)
    assert ("jit(step)", 1) in predicted.called
    assert sum(times for name, times in predicted.called if name == "jit(step)") == 8


def test_what_hangs_on_results_that_nobody_computes_is_zeros_too(preflight, bench):
    bench.write(
        "unknown.py",
        """
        import jax, jax.numpy as jnp
        loss = jax.jit(lambda w: jnp.sum(w))(jnp.ones((64, 64)))
        print("unknown", float(loss), float(loss + 1), float(jnp.maximum(loss, 2)))
        print("known", float(jnp.float32(3) + 1))
        """,
    )
    said = printed(preflight("unknown.py"))
    assert "unknown 0.0 0.0 0.0" in said
    assert "known 4.0" in said


def test_what_may_take_long_is_not_computed(preflight, bench):
    """A loop that would never end, arrays that are large within, and calls of Python, all of small results."""
    bench.write(
        "long.py",
        """
        import jax, jax.numpy as jnp
        endless = jax.jit(lambda x: jax.lax.while_loop(lambda x: x >= 0, lambda x: x + 0, x))
        print("endless", float(endless(1.0)))
        print("large", float(jax.jit(lambda n: jnp.sum(jnp.arange(1 << 40, dtype=jnp.float32)) + n)(1.0)))
        called = jax.jit(lambda x: jax.pure_callback(lambda x: 1 / 0, jax.ShapeDtypeStruct((), "float32"), x))
        print("called", float(called(1.0)))
        """,
    )
    said = printed(preflight("long.py"))
    assert "endless 0.0" in said
    assert "large 0.0" in said
    assert "called 0.0" in said


def test_what_was_donated_is_gone_where_it_was_computed(preflight, bench):
    bench.write(
        "donates.py",
        """
        import functools, jax, jax.numpy as jnp
        add = jax.jit(lambda x: x + 1, donate_argnums=0)
        given = jnp.ones(3)
        print("donated", add(given).tolist(), given.is_deleted())
        """,
    )
    assert "donated [2.0, 2.0, 2.0] True" in printed(preflight("donates.py"))

"""Ops of a function without a scope say that they were differentiated, also where the user's jax has no mark for it."""


def test_names_say_what_was_differentiated(preflight, bench):
    bench.write(
        "train.py",
        """
        import re, jax, jax.numpy as jnp

        def loss(w):
            return jnp.sum(jnp.tanh(w @ w))

        step = jax.jit(lambda w: w - 0.1 * jax.grad(loss)(w))
        text = step.lower(jnp.ones((64, 64))).as_text(debug_info=True)
        names = re.findall(r'"(jit[^"]*/(?:tanh|dot_general|sub))"', text)
        print("marked", sorted({re.sub(r"^jit\\(.*?\\)/(jit\\(main\\)/)?", "", name) for name in names}))
        """,
    )
    predicted = preflight("train.py")
    assert predicted.returncode == 0, predicted.stderr
    (said,) = [line for line in predicted.stderr.splitlines() if line.startswith("marked")]
    assert "'jvp()/tanh'" in said
    assert "'jvp()/dot_general'" in said
    assert "'transpose(jvp())/dot_general'" in said
    assert "'sub'" in said

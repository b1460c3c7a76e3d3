import pytest

from scopelight.report.run.excerpt import excerpt


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("batch = next(loader)", "next(loader)"),
        ("x, y = next(loader)  # of two", "next(loader)"),
        ("loss: jax.Array = step(x)", "step(x)"),
        ("for images in batches(80):", "batches(80)"),
        ("with open(path) as file, other:", "open(path)"),
        ("while next(loader):", "next(loader)"),
        ("return x @ w", "x @ w"),
        ("yield np.sort(images, axis=1)", "np.sort(images, axis=1)"),
        ("yield", "yield"),
        ("await queue.get()", "queue.get()"),
        ("x += jnp.dot(x, w)", "x += jnp.dot(x, w)"),
        ("print(float(loss))", "print(float(loss))"),
        # Part of a statement.
        ("x = jnp.dot(", "x = jnp.dot("),
        ("else:", "else:"),
        ("", ""),
        # A message would make a link of it.
        ("f = [a](command:x)", "f = [a] (command:x)"),
        ("call(" + "a" * 60 + ")", "call(" + "a" * 34 + "…"),
        ("x = '\\d' + 1", "'\\d' + 1"),
        ("(" * 399, "(" * 39 + "…"),
        ("\0", "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_a_line_is_named_by_what_it_works_out(code, said):
    assert excerpt(code) == said

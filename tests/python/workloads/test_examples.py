"""What `make run` shows of daemon/examples: steps, and the time of each op on the line it belongs to."""

import pytest

PRODUCT = {"dot", "dot fusion"}
ELEMENTWISE = {"loop fusion", "custom fusion", "copy", "reduce"}
EVERYTHING = PRODUCT | ELEMENTWISE

# What the ops of 2 % and more may be, by the text of their line.
EXPECTED = {
    "mlp.py": {
        'hidden @ layer["weight"] + layer["bias"]': EVERYTHING,
        "jax.nn.gelu(hidden)": ELEMENTWISE,
        'hidden @ layers[-1]["weight"]': EVERYTHING,
        "0.9 * m + 0.1 * g": ELEMENTWISE,
        "0.999 * s + 0.001 * g * g": ELEMENTWISE,
        "scale * m / (jnp.sqrt(s) + 1e-8)": ELEMENTWISE,
        "rate * (step + decay * parameter)": ELEMENTWISE,
    },
    "transformer.py": {
        'normalized(x, layer["scale"][1]) @ layer["up"]': PRODUCT,
        "jax.nn.gelu(hidden)": ELEMENTWISE,
        'x + hidden @ layer["down"]': EVERYTHING,
        "jnp.split((x @ qkv)": EVERYTHING,
        "reshape(batch, length, width) @ out": EVERYTHING,
        'jnp.einsum("bhqk,bkhd->bqhd"': EVERYTHING,
        "jax.nn.softmax": ELEMENTWISE,
        'jnp.einsum("bqhd,bkhd->bhqk"': EVERYTHING,
        "scale * x * jax.lax.rsqrt": ELEMENTWISE,
        "jax.lax.scan": {"loop fusion", "copy"},
        '@ parameters["token"].T': PRODUCT,
    },
}
# Of the transformer the products of the feed-forward network, its gelu, and the product that attention begins with take
# nearly the same part of a step's wall clock.
HOTTEST = {
    "mlp.py": ('hidden @ layer["weight"] + layer["bias"]',),
    "transformer.py": (
        'normalized(x, layer["scale"][1]) @ layer["up"]',
        "jax.nn.gelu(hidden)",
        'x + hidden @ layer["down"]',
        "jnp.split((x @ qkv)",
    ),
}
ONLY_CALLS = ("= train_step(", "= adam_update(", "value_and_grad(")


@pytest.fixture(params=EXPECTED)
def example(request, capture, project):
    script = [f"daemon/examples/{request.param}", "--steps", "1000000"]
    return request.param, capture(f"example_{request.param}", script=script, folder=project, ends="interrupted")


@pytest.fixture
def text_of(project):
    """The source text of a path and line of the record."""
    return lambda path, line: (project / path).read_text().splitlines()[line - 1]


def test_every_long_op_is_on_its_line(example, text_of):
    name, captured = example
    for (_, op), places in captured.long_ops().items():
        for path, line, _, category, _ in places:
            assert path, f"{op} ({category}) is on no line"
            text = text_of(path, line)
            fitting = [categories for snippet, categories in EXPECTED[name].items() if snippet in text]
            assert len(fitting) == 1, f"{op} ({category}) is on {path}:{line}: {text}"
            assert category in fitting[0], f"{op} ({category}) is on {path}:{line}: {text}"


def test_the_hottest_line_comes_first(example, text_of):
    name, captured = example
    first = captured.lines["lines"][0]
    assert any(each in text_of(first["path"], first["line"]) for each in HOTTEST[name])


def test_nearly_everything_is_attributed_over_several_files(example):
    _, captured = example
    record = captured.lines
    assert record["attributed_ps"] >= 0.99 * record["op_time_ps"]
    assert record["attributed_ps"] + record["unattributed_ps"] == record["op_time_ps"] > 0
    assert sum(each["self_ps"] for each in record["lines"]) == record["attributed_ps"]
    assert len({each["path"] for each in record["lines"]}) >= 2


def test_a_line_that_only_calls_has_no_self_time(example, text_of):
    _, captured = example
    for each in captured.lines["lines"]:
        text = text_of(each["path"], each["line"])
        if any(call in text for call in ONLY_CALLS):
            assert each["self_ps"] == 0, f"{each['path']}:{each['line']}: {text}"


def test_the_default_window_finds_the_training_steps(example):
    _, captured = example
    # It was interrupted, once its window was over.
    assert captured.exit_code == 130
    assert captured.run["window"]["kind"] == "steps"
    assert captured.lines["steps_source"] == "repetition"
    assert len(captured.lines["steps"]) >= 5


def test_phases_of_training_are_told_apart(example):
    name, captured = example
    total = {
        phase: sum(each[f"{phase}_ps"] for each in captured.lines["lines"])
        for phase in ("forward", "backward", "recompute", "optimizer")
    }
    assert total["backward"] > total["forward"] > 0
    assert total["optimizer"] > 0
    assert (total["recompute"] > 0) == (name == "transformer.py")

"""Keys of ops across runs of a script that was edited, and across versions of jax: what pairs, and that it is right."""

import os
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.opening.profile import open_profile
from scopelight.source.workspace import line_options

TRACER = Path(__file__).parents[2] / "made" / "scripts" / "trace_scripts.py"
OTHER_PYTHONS = [each for each in os.environ.get("SCOPELIGHT_TEST_PYTHONS", "").split(os.pathsep) if each]
LEAST_PAIRED_RATIO = 0.98

SCRIPT = """import functools

import jax
import jax.numpy as jnp

WIDTH = 256
LAYERS = 2


def normalized(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6)


def attention(x, layer):
    query = x @ layer["query"]
    key = x @ layer["key"]
    weights = jax.nn.softmax(query @ key.T / WIDTH)
    return weights @ (x @ layer["value"])


def feed_forward(x, layer):
    hidden = jax.nn.gelu(x @ layer["up"])
    return hidden @ layer["down"]


def model(layers, x):
    for layer in layers:
        x = x + attention(normalized(x), layer)
        x = x + feed_forward(normalized(x), layer)
    return x


def loss(layers, x, target):
    with jax.named_scope("model"):
        result = model(layers, x)
        return jnp.mean((result - target) ** 2)


@functools.partial(jax.jit, static_argnames="train")
def step(layers, x, target, train):
    if not train:
        return layers, loss(layers, x, target)
    value, gradients = jax.value_and_grad(loss)(layers, x, target)
    return jax.tree.map(lambda weight, gradient: weight - 0.01 * gradient, layers, gradients), value


def made(key):
    sizes = {"query": WIDTH, "key": WIDTH, "value": WIDTH, "up": 4 * WIDTH}
    layer = {name: jax.random.normal(key, (WIDTH, size)) * 0.05 for name, size in sizes.items()}
    return {**layer, "down": jax.random.normal(key, (4 * WIDTH, WIDTH)) * 0.05}


def run():
    layers = [made(jax.random.key(number)) for number in range(LAYERS)]
    x = jax.random.normal(jax.random.key(7), (WIDTH, WIDTH))
    for _ in range(12):
        layers, value = step(layers, x, x, train=True)
        step(layers, x, x, train=False)
    jax.block_until_ready(value)
"""
EDITS = {
    "again": SCRIPT,
    "line above": SCRIPT.replace("WIDTH =", "# Of the model.\nWIDTH ="),
    "one more layer": SCRIPT.replace("LAYERS = 2", "LAYERS = 3"),
    "other sizes": SCRIPT.replace("WIDTH = 256", "WIDTH = 384"),
    "evaluated first": SCRIPT.replace("    for _", "    step(layers, x, x, train=False)\n    for _"),
}


@attrs.frozen(eq=False)
class Run:
    """The ops of a run by their keys, and the text of its script."""

    record: object
    lines: object
    text: tuple[str, ...]
    trains: frozenset

    @classmethod
    def read(cls, folder, script):
        profile = open_profile(folder)
        options = line_options(profile, script.parent)
        record = ops_record(op_table(profile, options))
        lines = hot_lines(profile, options)
        backward = {row.program_id for row in record.rows if row.phase == "backward"}
        return cls(record, lines, tuple(script.read_text().splitlines()), frozenset(backward))

    @property
    def rows(self):
        return {row.key: row for row in self.record.rows}

    def what(self, row):
        """What of an op no edit changes: its text, pass, name in jax, and whether its program trains."""
        text = self.text[row.line - 1].strip() if row.line else ""
        return text, row.phase, row.program_id in self.trains


def paired_ratio(run, other):
    """How much of the time of a run's ops is in ops that the other run has too.

    Of each op the quickest execution counts: on a busy machine another may have waited for the processor.
    """
    time_ps = {key: row.least_ps * row.executions for key, row in run.rows.items()}
    return sum(time for key, time in time_ps.items() if key in other.rows) / sum(time_ps.values())


def traced(folder, python, scripts):
    """Trace scripts by their names; one process traces them all."""
    arguments = []
    for name, text in scripts.items():
        script = folder / name.replace(" ", "_") / "train.py"
        script.parent.mkdir(parents=True)
        script.write_text(text)
        arguments += [str(script), str(script.parent / "trace")]
    subprocess.run([python, str(TRACER), *arguments], check=True, capture_output=True, timeout=300)
    return {
        name: Run.read(Path(trace), Path(script))
        for name, script, trace in zip(scripts, arguments[::2], arguments[1::2], strict=True)
    }


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return traced(tmp_path_factory.mktemp("base"), sys.executable, {"base": SCRIPT})["base"]


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    return traced(tmp_path_factory.mktemp("edited"), sys.executable, EDITS)


def check_pairs(one, other):
    """No two ops of one key are of different lines, passes or kinds of program.

    An op of several lines is shown on the one that took most of its time, which may be another in another run.
    """
    pairs = [(row, other.rows[key]) for key, row in one.rows.items() if key in other.rows]
    pairs = [pair for pair in pairs if not (pair[0].shared or pair[1].shared)]
    assert len(pairs) > len(one.rows) / 2
    assert [one.what(row) for row, _ in pairs] == [other.what(row) for _, row in pairs]


def test_no_two_ops_share_a_key(base, edited):
    for run in (base, *edited.values()):
        keys = [row.key for row in run.record.rows]
        assert len(set(keys)) == len(keys)
        lines = [line.key for line in run.lines.lines]
        assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("edit", EDITS)
def test_the_ops_of_an_edited_script_pair(base, edited, edit):
    least = 1 if edit in ("again", "line above") else LEAST_PAIRED_RATIO
    assert paired_ratio(base, edited[edit]) >= least
    check_pairs(base, edited[edit])


@pytest.mark.parametrize("edit", EDITS)
def test_the_lines_of_an_edited_script_pair(base, edited, edit):
    """By hand: the lines of the base are those of the same text; no text is on two lines of one function."""
    # On a busy machine the record of an op of before can end behind the start of a step: of that nothing is timed.
    timed = [line for line in base.lines.lines if line.inclusive_ps]
    texts = {line.key: base.text[line.line - 1].strip() for line in timed if line.path == "train.py"}
    others = edited[edit]
    found = {line.key: others.text[line.line - 1].strip() for line in others.lines.lines if line.path == "train.py"}
    assert {key: found.get(key) for key in texts} == texts


def test_train_and_evaluation_of_one_function_stay_apart(base):
    trained = {row.key for row in base.record.rows if row.program_id in base.trains}
    evaluated = {row.key for row in base.record.rows if row.program == "jit_step" and row.program_id not in base.trains}
    assert trained
    assert evaluated
    assert trained.isdisjoint(evaluated)


@pytest.mark.skipif(not OTHER_PYTHONS, reason="SCOPELIGHT_TEST_PYTHONS names no Python with another jax")
def test_the_ops_of_another_jax_pair(base, tmp_path):
    for number, python in enumerate(OTHER_PYTHONS):
        other = traced(tmp_path / str(number), python, {"other": SCRIPT})["other"]
        assert paired_ratio(base, other) >= LEAST_PAIRED_RATIO
        check_pairs(base, other)

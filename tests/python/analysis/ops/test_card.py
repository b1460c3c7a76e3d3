"""The op card and its HLO text, held against the text that XLA itself wrote."""

import json
import lzma
import re

import attrs
import jax
import jax.numpy as jnp
import pytest

from made.recorded import DATA
from scopelight.analysis.lines.hot_lines import LineOptions
from scopelight.analysis.ops.card import op_card_record
from scopelight.analysis.ops.expression import expression, layout_text
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.devices.table import device_model
from scopelight.model.opening.profile import open_profile
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.nouns import Layout

FILES = {"tpu-v6e-host-offload": "tpu_inference_2.xplane.pb", "mi300x-conv": "tw003.xplane.pb"}


def without_metadata(text):
    return re.sub(r", metadata=\{.*\}$", "", text)


@pytest.mark.parametrize("name", FILES)
def test_expressions_are_those_that_the_profile_was_made_with(name):
    file = DATA / name / FILES[name]
    if not file.is_file():
        pytest.skip("../shared/data is absent")
    table = op_table(open_profile(file), scope="window")
    with lzma.open(DATA / name / "xprof" / "hlo_stats.json.xz") as oracle:
        stats = json.load(oracle)
    names = [column["id"] for column in stats["cols"]]
    compared = 0
    for cells in stats["rows"]:
        row = dict(zip(names, [(cell or {}).get("v") for cell in cells["c"]], strict=True))
        entry = next(each for each in table.entries if each.row.name == row["hlo_op_name"])
        ours = without_metadata(expression(entry.op.module, entry.op.instruction))
        # Channels, groups of devices, windows of memory and the like are no part of the module that is kept.
        assert row["hlo_op_expression"].startswith(ours) or _kept(row["hlo_op_expression"]) == ours
        compared += 1
    assert compared >= 4


def _kept(text):
    """An expression without the attributes that a module does not keep."""
    return re.sub(r", (channel_id|replica_groups|use_global_device_ids)=\S+?(?=, |$)", "", text)


PROGRAMS = {
    "products": lambda x, y: jnp.einsum("bij,bkj->bik", x, y) + jnp.tanh(x @ x),
    "convolution": lambda x, y: jax.lax.conv_general_dilated(
        x, y[:, :, :3], (2,), [(1, 2)], rhs_dilation=(2,), dimension_numbers=("NCW", "OIW", "NCW")
    ),
    "loop": lambda x, y: jax.lax.fori_loop(0, 3, lambda _, x: x * y, x),
    "branch": lambda x, y: jax.lax.cond(x[0, 0, 0] > 0, lambda: x + y, lambda: x - y),
    "sorts": lambda x, y: (jnp.sort(x, axis=1), jnp.cumsum(y, axis=2), jax.lax.top_k(x, 2)),
    "gathers": lambda x, y: x[jnp.argmax(y, axis=0)].at[0].add(1.0),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_expressions_are_understood_as_hlo_text(compiled_module, name):
    """What the reader of HLO text makes of our text is the instruction again."""
    module = compiled_module(PROGRAMS[name], jnp.ones((8, 8, 8)), jnp.ones((8, 8, 8)))
    text = ["HloModule again", ""]
    for row, computation in enumerate(module.computations):
        text.append(f"{'ENTRY ' if row == module.entry else ''}%{computation.name} {{")
        for each in computation.instructions:
            root = "ROOT " if each == computation.root else ""
            instruction = module.instructions[each]
            written = expression(module, instruction)
            if instruction.opcode == "constant":
                written = written.replace("constant()", "constant(0)")
            text.append(f"  {root}{written}")
        text.append("}\n")
    again = build_module(parse_hlo_text("\n".join(text), where="again"), "")
    for ours in module.instructions:
        theirs = again.by_name[ours.name]
        assert theirs.opcode == ours.opcode
        assert theirs.shape == ours.shape
        assert theirs.dot == ours.dot
        assert theirs.convolution == ours.convolution
        assert theirs.op_name == ours.op_name
        assert theirs.custom_call_target == ours.custom_call_target
        assert theirs.fusion_kind == ours.fusion_kind
        names = [again.instructions[each].name for each in theirs.operands]
        assert names == [module.instructions[each].name for each in ours.operands]
        called = [again.computations[each].name for each in theirs.called]
        assert called == [module.computations[each].name for each in ours.called]


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        (None, ""),
        (Layout(), ""),
        (Layout((1, 0)), "{1,0}"),
        (Layout((1, 0), ((8, 128), (2, 1))), "{1,0:T(8,128)(2,1)}"),
        (Layout((0,), ((128,),), 4, 5), "{0:T(128)E(4)S(5)}"),
        (Layout((), (), 0, 2), "{:S(2)}"),
    ],
)
def test_layouts(layout, text):
    assert layout_text(layout) == text


@pytest.fixture
def trained(load_source, compiled_module, ops_of, profile_of, tmp_path):
    source = load_source(
        "train",
        "import jax\nimport jax.numpy as jnp\n\n\n"
        "def layer(x, w):\n    return jnp.tanh(x @ w) * 2\n\n\n"
        "def step(x, w):\n    return jnp.sum(layer(x, w))\n",
    )
    module = compiled_module(source.step, jnp.ones((16, 100)), jnp.ones((100, 3)))
    return profile_of([(op, 1000) for op in ops_of(module)]), LineOptions(roots=(str(tmp_path),))


def test_a_card_has_arrays_elements_and_the_whole_stack(trained):
    profile, options = trained
    own = OwnPeaks({"f32": 1e12}, 1e11)
    rows = ops_record(op_table(profile, options, own)).rows
    cards = {row.key: op_card_record(op_table(profile, options, own), row.key) for row in rows}
    for row in rows:
        # What rates above the peak are is said of each card's own op.
        others = tuple(each for each in cards[row.key].op.findings if each.code != "rates-above-peak")
        assert attrs.evolve(cards[row.key].op, findings=others) == row
        assert cards[row.key].peak.flops_per_s["f32"] == 1e12
    product = next(card for card in cards.values() if card.op.primitive == "dot_general" or "dot" in card.op.category)
    assert [(place.path, place.line) for place in product.stack[:2]] == [("train.py", 6), ("train.py", 10)]
    shapes = {array.shape: array for array in product.arrays}
    assert {"f32[16,100]", "f32[100,3]"} <= set(shapes)
    weights = shapes["f32[100,3]"]
    assert (weights.bytes, weights.padded_bytes, weights.used_ratio, weights.predicted) == (1200, 1200, 1, False)
    assert product.arrays[0].role == "result"
    assert [dimension.role for dimension in product.arrays[0].dims] == ["batch", "feature"]
    fusion = next(card for card in cards.values() if card.elements)
    assert sum(element.share_ratio or 0 for element in fusion.elements) == pytest.approx(1)


def test_a_target_predicts_the_padding_of_arrays_and_products(trained):
    profile, options = trained
    product = next(row for row in ops_record(op_table(profile, options)).rows if row.shape == "f32[16,3]")
    plain = op_card_record(op_table(profile, options), product.key)
    assert plain.matrix_unit == ()
    card = op_card_record(op_table(profile, options), product.key, device_model("TPU v5e"))
    weights = next(array for array in card.arrays if array.shape == "f32[100,3]")
    assert weights.predicted
    assert weights.padded_bytes > weights.bytes
    assert weights.used_ratio == pytest.approx(weights.bytes / weights.padded_bytes)
    (unit, *_) = card.matrix_unit
    assert unit.predicted
    assert unit.basis == "matrix-unit"
    assert unit.used_ratio < 0.05
    assert (unit.path, unit.line) == ("train.py", 6)


def test_the_elements_of_a_program_that_did_not_run_are_of_one_run(compiled_module, profile_of):
    module = compiled_module(lambda x: jnp.tanh(x) * 3 + x, jnp.ones((64, 64)))
    table = op_table(profile_of([], modules=[module]))
    (row,) = [row for row in ops_record(table).rows if row.opcode == "fusion"]
    elements = op_card_record(table, row.key).elements
    assert sum(each.flops or 0 for each in elements) == row.flops == 2 * 64 * 64

"""The level of scopes: equal siblings are one node, what is in a group sums to it."""

import re

import pytest

from made.predictions import MESH, SCAN
from made.program.graphs import asked, layers_text
from made.recorded import DATA
from scopelight.analysis.graph.records import MOST_NODES
from scopelight.analysis.graph.scopes.tree import place_of_most
from scopelight.model.opening.profile import open_profile
from scopelight.program.hlo.frames import Frame

SUMMED = ("self_ps", "bytes", "padded_bytes", "padding_bytes", "ops")


@pytest.fixture
def made(tmp_path):
    def make(text):
        (tmp_path / "step.txt").write_text(text)
        return open_profile(tmp_path / "step.txt")

    return make


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("ends", [False, True])
def test_24_equal_layers_are_one_node(made, named, ends):
    record = asked(made(layers_text(24, named=named, ends=ends)), level="scopes")
    groups = [node for node in record.nodes if node.kind == "scope"]
    assert [(node.repeated, node.ops, node.can_open) for node in groups] == [(24, 48, True)]
    assert len(record.nodes) == (3 if ends else 1)
    if named:
        assert groups[0].name == "layer_0 … layer_23"


def test_layers_lead_from_what_is_before_to_what_is_after(made):
    record = asked(made(layers_text(24)), level="scopes")
    names = {node.key: node.name for node in record.nodes}
    layers = next(node.name for node in record.nodes if node.kind == "scope")
    assert {(names[edge.source], names[edge.target]): edge.bytes for edge in record.edges} == {
        ("negate.0", layers): 256,
        (layers, "abs.0"): 256,
    }


@pytest.mark.parametrize("named", [False, True])
def test_a_layer_is_opened_into_the_kinds_of_its_ops(made, named):
    profile = made(layers_text(24, named=named))
    (layers,) = (node for node in asked(profile, level="scopes").nodes if node.kind == "scope")
    record = asked(profile, level="scopes", open=(layers.key,))
    inside = [node for node in record.nodes if node.parent == layers.key]
    assert [(node.opcode, node.repeated, node.ops) for node in inside] == [("dot", 24, 24), ("tanh", 24, 24)]
    assert next(node for node in record.nodes if node.key == layers.key).is_open
    # The equal ops are opened in turn.
    (dots, _) = inside
    record = asked(profile, level="scopes", open=(layers.key, dots.key))
    assert {node.name for node in record.nodes if node.parent == dots.key} == {f"dot.{number}" for number in range(24)}


def test_two_scopes_of_other_names_are_two(made):
    text = re.sub(r"layer_(\d+)", lambda found: "left" if int(found[1]) % 2 else "right", layers_text(8, named=True))
    record = asked(made(text), level="scopes")
    assert {node.name: node.repeated for node in record.nodes if node.kind == "scope"} == {"left": 1, "right": 1}


def test_a_layer_of_other_sizes_is_no_equal_one(made):
    text = layers_text(24, named=True)
    # The product of one layer is another one.
    text = text.replace("%dot.7 = f32[8,8]{1,0} dot(", "%dot.7 = f32[8,16]{1,0} dot(")
    record = asked(made(text), level="scopes")
    assert sorted(node.repeated for node in record.nodes if node.kind == "scope") == [1, 23]


def test_ops_without_a_scope_are_in_that_of_what_reads_them(made):
    text = re.sub(r"(negate\(%x\)), metadata=.*", r"\1", layers_text(1, named=True))
    record = asked(made(text), level="scopes")
    assert {node.name: node.ops for node in record.nodes if node.kind == "scope"} == {"layer_0": 3}


@pytest.mark.parametrize("run", [SCAN, MESH], ids=lambda run: run.name)
def test_what_the_optimizer_computes_is_one_group(run):
    profile = open_profile(run)
    record = asked(profile, level="scopes")
    (group,) = (node for node in record.nodes if node.phase == "optimizer")
    assert (group.kind, group.name, group.can_open) == ("scope", "[optimizer]", True)
    opened = asked(profile, level="scopes", open=(group.key,))
    inside = [node for node in opened.nodes if node.parent == group.key]
    assert len(inside) > 1
    assert sum(node.bytes or 0 for node in inside) == group.bytes
    # It is no scope of the script's, which other panels could show.
    assert group.scope == ""
    assert {node.phase for node in inside} == {"optimizer"}


REAL = (
    "h100-maxtext-hlo/jit_train_step.hlo.pb.xz",
    "tpu-v6e-llama3-hlo-text/jit_train_step.after_optimizations.hlo.txt",
    "mi355x-te-attention/934987a2fc2f.xplane.pb",
    "tpu-v6e-host-offload/tpu_inference_2.xplane.pb",
)


@pytest.fixture(params=REAL, scope="module")
def real(request):
    if not DATA.is_dir():
        pytest.skip("../shared/data is absent")
    return open_profile(DATA / request.param)


def test_what_is_in_a_group_sums_to_it(real):
    opened = set()
    record = asked(real, level="scopes")
    for _ in range(4):
        record = asked(real, level="scopes", open=tuple(sorted(opened)))
        assert len(record.nodes) <= MOST_NODES
        opened |= {node.key for node in record.nodes if node.can_open}
        inside = {}
        for node in record.nodes:
            inside.setdefault(node.parent, []).append(node)
        for group in record.nodes:
            if group.is_open and group.key in inside:
                of_inside = {
                    name: [getattr(node, name) for node in inside[group.key] if getattr(node, name) is not None]
                    for name in SUMMED
                    if name != "ops"
                }
                assert {name: sum(each) if each else None for name, each in of_inside.items()} == {
                    name: getattr(group, name) for name in of_inside
                }


def test_an_answer_says_what_it_leaves_out(real):
    opened = set()
    for _ in range(4):
        record = asked(real, level="scopes", open=tuple(sorted(opened)))
        opened |= {node.key for node in record.nodes if node.can_open}
    rests = [node for node in record.nodes if node.kind == "rest"]
    assert record.left_out == sum(node.left_out for node in rests) or len(record.nodes) == MOST_NODES
    keys = {node.key for node in record.nodes}
    assert {end for edge in record.edges for end in (edge.source, edge.target)} <= keys
    assert {node.parent for node in record.nodes} - {None} <= keys


def test_layers_are_where_most_of_their_ops_are_though_the_longest_stack_is_another():
    main, loop, layer = (Frame("train.py", line, name) for line, name in ((30, "main"), (20, "model"), (10, "layer")))
    elsewhere = Frame("train.py", 5, "embed")
    most, other = (main, loop), (main, elsewhere, layer, layer)
    assert place_of_most([most] * 9 + [other]) == loop
    assert place_of_most([other]) == layer
    assert place_of_most([]) is None

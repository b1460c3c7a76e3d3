"""How buffers are written: their shapes with layouts, and small ones together."""

import pytest

from made.program.programs import MadeProgram, profile_of
from made.views import memory_viewer
from scopelight.analysis.ops.expression import shape_with_layout
from scopelight.analysis.totals.frames import LineOptions
from scopelight.program.hlo.nouns import Layout, Shape
from scopelight.program.hlo.tiling import COMBINED

VECTOR = Shape("f32", (8,), layout=Layout((0,)))


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (Shape("f32", (4, 8), layout=Layout((1, 0))), "f32[4,8]{1,0}"),
        (Shape("bf16", (4, 8), layout=Layout((1, 0), ((8, 128), (2, 1)), 0, 5)), "bf16[4,8]{1,0:T(8,128)(2,1)S(5)}"),
        (Shape("s4", (4,), layout=Layout((0,), ((COMBINED, 128),), 4)), "s4[4]{0:T(*,128)E(4)}"),
        (Shape("f32", (4,), layout=Layout((0,), tail_padding_elements=64)), "f32[4]{0:L(64)}"),
        (Shape("s32", ()), "s32[]"),
        (Shape("tuple"), "()"),
        (Shape("tuple", tuple_shapes=(VECTOR, Shape("pred", ()))), "(f32[8]{0}, pred[])"),
    ],
)
def test_shapes_are_written_as_xla_writes_them(shape, text):
    assert shape_with_layout(shape) == text


def test_tuples_in_tuples_are_cut_short():
    """Sixteen of sixteen of sixteen and so on are as many as a file has bytes for: a line of text is enough."""
    nested = VECTOR
    for _ in range(20):
        nested = Shape("tuple", tuple_shapes=(nested,) * 17)
    text = shape_with_layout(nested)
    assert len(text) < 5000
    assert text.startswith("(((…), (…)")
    assert text.endswith("… 1 more)")


def test_small_buffers_of_a_category_are_one_row():
    made = MadeProgram()
    made_of = []
    for number in range(5):
        x = made.instruction("parameter", 10 + number, parameter_number=number)
        made.allocation(made.size(x), (x, 0), is_entry_computation_parameter=True, parameter_number=number)
        made_of.append(x)
    large = made.instruction("parameter", 4096, parameter_number=5)
    made.allocation(made.size(large), (large, 0), is_entry_computation_parameter=True, parameter_number=5)
    result = made.instruction("add", 1, made_of[0])
    made.allocation(4, (result, 0), maybe_live_out=True)
    rows = memory_viewer(profile_of(made.finish(result)), LineOptions()).buffers
    assert [(row.id, row.count, row.bytes, row.category) for row in rows] == [
        ("small parameter", 5, 4 * 60, "parameter"),
        ("6", 1, 16384, "parameter"),
        ("7", 1, 4, "output"),
    ]
    assert (rows[0].name, rows[0].shape, rows[0].line) == ("", "", None)
    assert (rows[1].allocation_kind, rows[2].allocation_kind) == ("argument 5", "output")

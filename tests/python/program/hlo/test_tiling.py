"""Padding by tiles: against XLA's definition of a tiled layout, and against what its TPU compiler did."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.formats.hlo_text.reader import read_hlo_text
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.nouns import Layout, Shape
from scopelight.program.hlo.tiling import (
    COMBINED,
    TileRules,
    is_possible_layout,
    layout_padding,
    padded_byte_size,
    padded_elements,
    predicted_shape,
    predicted_tiles,
)

RULES = TileRules()


def array(element_type, dimensions, tiles=(), order=None, **options):
    order = tuple(reversed(range(len(dimensions)))) if order is None else order
    return Shape(element_type, tuple(dimensions), layout=Layout(tuple(order), tuple(tiles), **options))


def leaves(shape):
    if shape.tuple_shapes:
        return [leaf for each in shape.tuple_shapes for leaf in leaves(each)]
    return [] if shape.element_type in ("token", "opaque", "tuple") else [shape]


@pytest.mark.parametrize(
    ("shape", "expected_bytes", "padded"),
    [
        (array("f32", (4, 32, 8192, 1), [(8, 128)]), 512 * 2**20, [4, 32, 8192, 128]),
        (array("bf16", (16, 200, 3), [(4, 128), (2, 1)], order=(1, 2, 0)), 16 * 256 * 4 * 2, [16, 256, 4]),
        (array("bf16", (5, 7), [(1, 128), (2, 1)]), 5 * 2 * 128 * 2, [10, 128]),
        (array("bf16", (512,), [(512,), (128,), (2, 1)]), 1024, [512]),
        (array("bf16", (300,), [(256,), (128,), (2, 1)]), 1024, [512]),
        (array("s32", (4, 8192), [(4, 128)]), 4 * 8192 * 4, [4, 8192]),
        (array("s32", (), [(128,)]), 512, []),
        (array("pred", (9, 130), [(8, 128), (4, 1)]), 16 * 256, [16, 256]),
        (array("s4", (9, 130), [(8, 128), (8, 1)], element_size_bits=4), 16 * 256 // 2, [16, 256]),
        (array("s4", (9, 130)), 9 * 130, [9, 130]),
        (array("u8", (3, 5), [(2, 2)]), 4 * 6, [4, 6]),
        (array("f32", (7,), tail_padding_elements=4), 8 * 4, [7]),
        (array("f32", (0, 7), [(8, 128)]), 0, [0, 7]),
        (array("f32", (3, 5, 7), [(COMBINED, 4)]), 108 * 4, None),
        (Shape("f32", (3, 5)), 60, [3, 5]),
    ],
)
def test_padded_sizes(shape, expected_bytes, padded):
    assert padded_byte_size(shape) == expected_bytes
    if padded is not None:
        assert [each.padded for each in layout_padding(shape)] == padded


def test_sixteen_to_128_with_three_to_eight_leaves_less_than_a_twentieth():
    dims = layout_padding(array("f32", (16, 3), [(8, 128)], order=(0, 1)))
    assert [(each.size, each.padded, each.tile, each.role) for each in dims] == [
        (16, 128, 128, "batch"),
        (3, 8, 8, "feature"),
    ]
    used = math.prod(each.size for each in dims) / math.prod(each.padded for each in dims)
    assert f"{used:.1%}" == "4.7%"


def test_a_tuple_takes_what_its_arrays_take():
    parts = (array("f32", (1, 1), [(8, 128)]), array("s32", (), [(128,)]))
    assert padded_byte_size(Shape("tuple", tuple_shapes=(*parts, Shape("tuple", tuple_shapes=parts)))) == 2 * 4608


def places(dimensions, tiles):
    """Where each element lies, by XLA's definition: tile by tile, the index is split into quotient and remainder."""
    sizes = list(dimensions)
    steps = []
    for tile in tiles:
        rank = len(tile)
        sizes = [1] * (rank - len(sizes)) + sizes
        front = len(sizes) - rank
        steps.append((rank, tile))
        cut = [-(-size // extent) for size, extent in zip(sizes[front:], tile, strict=True)]
        sizes = [*sizes[:front], *cut, *tile]
    for index in itertools.product(*map(range, dimensions)):
        place = list(index)
        for rank, tile in steps:
            place = [0] * (rank - len(place)) + place
            front = len(place) - rank
            split = [divmod(position, extent) for position, extent in zip(place[front:], tile, strict=True)]
            place = [*place[:front], *(quotient for quotient, _ in split), *(rest for _, rest in split)]
        linear = 0
        for position, size in zip(place, sizes, strict=True):
            assert 0 <= position < size
            linear = linear * size + position
        yield linear


small_tiles = st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple), max_size=3)


@given(st.lists(st.integers(1, 6), max_size=3), small_tiles)
def test_every_element_has_a_place_of_its_own_inside_the_padded_size(dimensions, tiles):
    shape = array("u8", dimensions, tiles)
    found = list(places(dimensions, tiles))
    assert len(set(found)) == len(found) == math.prod(dimensions)
    assert max(found) < padded_elements(shape)
    dims = layout_padding(shape)
    assert all(each.padded >= each.size for each in dims)
    if dims:
        assert math.prod(each.padded for each in dims) == padded_elements(shape)


@given(
    st.lists(st.integers(1, 300), max_size=4),
    st.sampled_from(("f32", "bf16", "s8", "pred", "f64")),
    st.randoms(use_true_random=False),
)
def test_predictions_hold_their_arrays_and_lose_less_than_a_tile(dimensions, element_type, random):
    order = list(range(len(dimensions)))
    random.shuffle(order)
    shape = array(element_type, dimensions, order=order)
    predicted = predicted_shape(shape, RULES)
    assert predicted.dimensions == shape.dimensions
    assert sorted(predicted.layout.minor_to_major) == sorted(order)
    own = Layout(tuple(order), predicted_tiles(shape, RULES))
    assert math.prod(dimensions) <= padded_elements(predicted)
    assert padded_elements(predicted) <= padded_elements(Shape(element_type, shape.dimensions, layout=own))
    for each in layout_padding(predicted):
        assert each.size <= each.padded < each.size + each.tile
    # What is predicted of a prediction is itself.
    assert predicted_shape(predicted, RULES) == predicted


@pytest.mark.parametrize(
    ("tiles", "options"),
    [
        ([(0, 128)], {}),
        ([(-5, 1)], {}),
        ([(2**40, 2**40)], {}),
        ([(2**40,), (2**40,), (2**40, 2)], {}),
        ([(1,)] * 17, {}),
        ([(1,) * 40], {}),
        ([], {"element_size_bits": -1}),
        ([], {"element_size_bits": 2**40}),
        ([], {"tail_padding_elements": -1}),
        ([], {"tail_padding_elements": 2**63}),
    ],
)
def test_layouts_that_cannot_be_are_told(tiles, options):
    assert not is_possible_layout((8, 16), Layout((1, 0), tuple(tiles), **options))


def test_layouts_of_real_programs_can_be():
    assert is_possible_layout((8, 16), Layout((1, 0), ((8, 128), (2, 1))))
    assert is_possible_layout((), Layout((), ((128,),)))


@pytest.fixture(scope="module")
def awkward(shared_hlo):
    return shared_hlo("tpu-v5e-awkward/after_optimizations.hlo.pb.xz")


@pytest.fixture(scope="module")
def llama(project):
    path = project.parent / "shared" / "data" / "tpu-v6e-llama3-hlo-text"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    return build_module(read_hlo_text(next(path.glob("*.txt"))), "")


def test_every_array_takes_as_many_bytes_as_the_compiler_gave_its_buffer(awkward):
    module = build_module(awkward, "")
    by_id = {each.id: each for each in module.instructions}
    compared = 0
    for buffer in awkward.buffer_assignment.logical_buffers:
        shape = by_id[buffer.defined_at.instruction_id].shape
        for position in buffer.defined_at.shape_index:
            shape = shape.tuple_shapes[position]
        if shape.tuple_shapes:
            continue
        assert padded_byte_size(shape) == buffer.size, shape
        compared += 1
    assert compared == 708


@pytest.mark.parametrize("program", ["awkward", "llama"])
def test_the_compiler_chose_the_tiles_that_are_predicted(request, program):
    found = request.getfixturevalue(program)
    module = build_module(found, "") if program == "awkward" else found
    shapes = [leaf for each in module.instructions for leaf in leaves(each.shape)]
    # Semaphores and what the scalar core holds lie in its own memory, and a few scalars have not been placed yet.
    others = [shape for shape in shapes if predicted_tiles(shape, RULES) != shape.layout.tiles]
    assert all(shape.dimensions == () and shape.layout.tiles == () for shape in others)
    arrays = [shape for shape in shapes if shape.dimensions]
    assert len(arrays) > 2000
    assert all(predicted_tiles(shape, RULES) == shape.layout.tiles for shape in arrays)


def test_a_prediction_of_the_order_does_not_overstate_what_the_compiler_pads(awkward):
    module = build_module(awkward, "")
    shapes = [leaf for each in module.instructions for leaf in leaves(each.shape) if leaf.dimensions]
    assert all(padded_elements(predicted_shape(shape, RULES)) <= padded_elements(shape) for shape in shapes)
    same = sum(padded_elements(predicted_shape(shape, RULES)) == padded_elements(shape) for shape in shapes)
    assert same / len(shapes) > 0.9

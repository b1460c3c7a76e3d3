"""Other sizes: what of padded products and arrays is used with them, and which sizes mean one dimension."""

import lzma
import math

import jax
import jax.numpy as jnp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.costs import dimension, padding_row
from made.recorded import DATA
from scopelight.analysis.padding.array_shapes import array_shapes, shapes_of
from scopelight.analysis.padding.padding import padding
from scopelight.analysis.padding.resizing import fits_better, fitting, is_worth_offering, resize
from scopelight.model.opening.profile import open_profile
from scopelight.source.sizes.literals import SizeLiterals

AWKWARD = DATA / "tpu-v5e-awkward"


@given(st.integers(1, 4096), st.sampled_from((8, 128, 256)), st.integers(1, 512))
def test_the_padded_size_fits(size, tile, other):
    padded = math.ceil(size / tile) * tile
    rows = [padding_row(dimension(size, padded, tile), dimension(other, 512, 512))]
    resizings = resize(rows, size, padded)
    if other == size:
        return
    assert resizings[0].used_after_ratio == other / 512
    assert fits_better(resizings) == (padded > size)


def test_a_size_that_fits_one_tile_and_not_another_is_no_better():
    rows = [padding_row(dimension(120, 128, 128)), padding_row(dimension(120, 120, 8))]
    assert fits_better(resize(rows, 120, 128))
    worse = [padding_row(dimension(100, 128, 128)), padding_row(dimension(100, 100, 100))]
    assert not fits_better(resize(worse, 100, 128))


def test_rows_without_the_size_are_left_alone():
    assert resize([padding_row(dimension(16, 128, 128))], 3, 8) == ()
    assert not fits_better(())


def test_sizes_that_are_merged_or_split_are_ambiguous(compiled):
    def program(x, w):
        with jax.named_scope("merge"):
            return jnp.reshape(x, (6, 35)) @ w

    module, _ = compiled(program, jnp.ones((6, 5, 7)), jnp.ones((35, 11)))
    known = shapes_of([module])
    assert (35, 11) in known.shapes
    assert 35 in known.ambiguous
    assert 11 not in known.ambiguous


@pytest.mark.parametrize(
    ("program", "sizes"),
    [
        (lambda x, w: (jnp.concatenate((x[:, :1], x), 1), x @ w), {35, 36}),
        (lambda x, w: jnp.tanh(x)[:, 3:] @ w[3:], {35, 32}),
        (lambda x, w: (jnp.pad(jnp.tanh(x), ((0, 0), (0, 5))), x @ w), {35, 40}),
    ],
)
def test_sizes_that_are_cut_or_put_together_are_ambiguous(compiled, program, sizes):
    module, _ = compiled(program, jnp.ones((6, 35)), jnp.ones((35, 11)))
    known = shapes_of([module])
    assert sizes <= known.ambiguous
    assert 11 not in known.ambiguous
    assert {(6, 35), (35, 11)} <= known.given


def test_a_size_that_fits_by_now_leaves_the_padding_of_the_others():
    row = padding_row(dimension(300, 384, 128), dimension(520, 640, 128), extra_bytes=1, basis="layout")
    assert fitting(row, ()) is row
    assert fitting(row, {64}) is row
    rest = fitting(row, {300})
    assert rest.used_ratio == 520 / 640
    assert rest.dims == (dimension(300, 300, 128), dimension(520, 640, 128))
    assert rest.extra_bytes is None
    assert fitting(row, {300, 520}).used_ratio == 1


@pytest.mark.skipif(not AWKWARD.is_dir(), reason="../shared/data is absent")
def test_a_real_model_fits_better_with_the_sizes_that_are_offered(tmp_path):
    program = tmp_path / "awkward.hlo.pb"
    program.write_bytes(lzma.decompress((AWKWARD / "after_optimizations.hlo.pb.xz").read_bytes()))
    profile = open_profile(program)
    rows = padding(profile).rows
    known = array_shapes(profile)
    literals = SizeLiterals({"awkward.py": (AWKWARD / "awkward.py").read_text().split("\n")})
    for name, size, new_size in (("VOCAB", 50257, 50304), ("HEAD", 80, 128), ("HIDDEN", 2500, 2560)):
        assert literals.of_dimension(size, known).name == name
        resizings = resize(rows, size, new_size)
        assert len(resizings) > 1
        assert fits_better(resizings)
    # 12 heads of 80 are 960 as well: which dimension a size of 960 is cannot be told.
    assert 960 in known.ambiguous


def test_a_size_many_times_the_present_one_is_not_offered():
    assert is_worth_offering(100, 128)
    assert is_worth_offering(3, 8)
    assert not is_worth_offering(8, 128)
    assert not is_worth_offering(128, 128)

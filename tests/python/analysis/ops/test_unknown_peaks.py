"""Ops whose type has no known peak: every view of ops says so, in the same way."""

import attrs
import jax
import jax.numpy as jnp
import pytest

from made.findings import codes, said, values
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.notes import types_without_peak_warning
from scopelight.analysis.ops.op_profile import op_profile_record
from scopelight.analysis.ops.roofline import roofline_record
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.devices.peaks import OwnPeaks

SIDE = 128
PRODUCT = 2 * SIDE**3
OP_PS = 10**9


def products(x, y):
    with jax.named_scope("float"):
        x = x @ x
    with jax.named_scope("integer"):
        y = jax.lax.dot(y, y, preferred_element_type=jnp.int32)
    return x, y


@pytest.fixture(scope="module")
def profile(compiled_module, ops_of, profile_of):
    """A product of f32 and one of s8, each as long."""
    module = compiled_module(products, jnp.ones((SIDE, SIDE)), jnp.ones((SIDE, SIDE), jnp.int8))
    return profile_of([(op, OP_PS) for op in ops_of(module) if op.instruction.opcode in ("dot", "fusion")])


@pytest.fixture(scope="module")
def table(profile):
    return op_table(profile, own_peaks=OwnPeaks({"f32": 1e13}, 1e12))


@pytest.fixture(scope="module")
def integer(table):
    row = next(row for row in ops_record(table).rows if row.element_type == "s8")
    assert row.flops == PRODUCT
    return row


def test_nothing_that_depends_on_the_peak_is_known_of_the_op(table, integer):
    assert (integer.flop_utilisation_ratio, integer.bound_by, integer.wasted_ps) == (None, None, None)
    assert integer.bandwidth_utilisation_ratio > 0
    assert "peak of the type" in said(integer)
    leaf = next(row for row in op_profile_record(table, "category").rows if row.key == integer.key)
    assert (leaf.flop_utilisation_ratio, leaf.bound_by, leaf.wasted_ps) == (None, None, None)
    assert leaf.bandwidth_utilisation_ratio == pytest.approx(integer.bandwidth_utilisation_ratio)
    point = next(row for row in roofline_record(table).rows if row.op_key == integer.key)
    assert (point.efficiency_ratio, point.bound_by) == (None, None)
    assert point.findings == leaf.findings == integer.findings
    row = next(row for row in flops_record(table).rows if row.key == integer.key)
    assert (row.mfu_ratio, row.hfu_ratio) == (None, None)


@pytest.mark.parametrize("grouping", ["category", "scope", "line"])
def test_an_op_has_the_figures_of_its_leaf_in_any_grouping(table, grouping):
    rows = {row.key: row for row in ops_record(table).rows}
    leaves = [row for row in op_profile_record(table, grouping).rows if row.kind == "op"]
    assert len(leaves) == len(rows)
    for leaf in leaves:
        row = rows[leaf.op_key]
        assert (leaf.bound_by, leaf.wasted_ps) == (row.bound_by, row.wasted_ps)
        assert leaf.flop_utilisation_ratio == pytest.approx(row.flop_utilisation_ratio)


def test_what_holds_such_an_op_is_at_least_what_is_known(table, integer):
    total = op_profile_record(table, "category").rows[0]
    assert total.utilisation_is_least
    assert total.flop_utilisation_ratio > 0
    assert total.bound_by == "compute"
    assert total.wasted_ps == sum(row.wasted_ps or 0 for row in ops_record(table).rows)
    program = next(row for row in roofline_record(table).rows if row.kind == "program")
    assert program.utilisation_is_least
    assert "Some of the FLOPs" in said(program)
    model, *others = flops_record(table).rows
    assert model.utilisation_is_least
    assert model.hfu_ratio == pytest.approx(PRODUCT / 1e13 / (flops_record(table).wall_ps / 1e12))
    scopes = {row.label: row.utilisation_is_least for row in others if row.kind == "scope"}
    assert scopes == {"float": False, "integer": True}


def test_every_view_says_which_types_have_no_peak(table):
    for record in (
        ops_record(table),
        op_profile_record(table, "category"),
        roofline_record(table),
        flops_record(table),
    ):
        assert codes(record, "warning") == ["types-without-peak"]
        found = values(record, "types-without-peak")
        assert found == {"flops_ratio": pytest.approx(0.5, abs=1e-3), "element_types": ("s8",)}


def test_what_a_memory_bound_whole_is_bound_by_is_not_known_where_compute_is_not(profile):
    """The product of f32 moves its bytes in longer than it computes: but how long the other one computes, who knows."""
    table = op_table(profile, own_peaks=OwnPeaks({"f32": 1e15}, 1e10))
    assert {row.bound_by for row in ops_record(table).rows} == {"main", None}
    assert op_profile_record(table, "category").rows[0].bound_by is None
    assert all(row.efficiency_ratio is None for row in roofline_record(table).rows if row.kind == "program")


def test_with_all_peaks_nothing_is_said(profile):
    table = op_table(profile, own_peaks=OwnPeaks({"f32": 1e13, "s8": 2e13}, 1e12))
    assert codes(ops_record(table), "warning") == []
    assert not any(row.utilisation_is_least for row in op_profile_record(table, "category").rows)
    assert not any(row.utilisation_is_least for row in flops_record(table).rows)
    assert all(row.wasted_ps is not None for row in ops_record(table).rows)


def test_without_any_peak_the_record_says_it_once(profile):
    record = ops_record(op_table(profile))
    assert "utilisation-unknown" in codes(record)
    assert codes(record, "warning") == ["utilisation-unknown"]


def test_all_flops_of_unknown_types_count_as_such(table, integer):
    used = {entry.row.key: entry.utilisation for entry in table.entries}
    known = next(row for row in ops_record(table).rows if row.element_type == "f32")
    unknown = [attrs.evolve(integer, element_type="", flops=flops) for flops in (30, 20)]
    rows = [attrs.evolve(known, flops=50), *unknown]
    (warning,) = types_without_peak_warning([(row, used[row.key]) for row in rows])
    assert dict(warning.values) == {"flops_ratio": 0.5, "element_types": (None,)}
    assert "in an unknown type" in said([warning])


def test_a_type_whose_ops_have_no_time_has_the_peak_that_it_has(table):
    """A sort that is predicted has no estimate: its share of the peak is not known, the peak is."""
    entry = next(each for each in table.entries if each.row.element_type == "f32")
    timeless = attrs.evolve(entry.row, wall_ps=0, self_ps=0, flop_utilisation_ratio=None)
    used = attrs.evolve(entry.utilisation, wall_ps=0)
    assert used.flop_ratio is None
    assert list(types_without_peak_warning([(timeless, used)])) == []

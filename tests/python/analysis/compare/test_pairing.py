"""Which row is which: each has one partner at most, of its own kind, and nothing is lost."""

from hypothesis import given
from hypothesis import strategies as st

from made.comparisons import FILE, in_place, line, side
from scopelight.analysis.compare.entries import Entry
from scopelight.analysis.compare.pairing import PairedLines, pairs
from scopelight.source.paired.lines import followed

TEXT = ["import jax", "", "def step(x):", "    y = x @ x", "    return y + 1", "", "def other(x):", "    return x - 1"]


def op(number, kind, time_ps=10, *, shape="f32[8]", program="jit_step", key=None, file=FILE):
    return Entry(
        key=key or f"{file}:{number}:{kind}:{shape}",
        kind="op",
        label=kind,
        identities=((program, kind, shape), (program, kind), (kind,)),
        file=file if number is not None else None,
        line=number,
        time_ps=time_ps,
    )


def paired(before, after, lines):
    return [
        (pair.before and pair.before.entry.line, pair.after and pair.after.entry.line, pair.by)
        for pair in pairs(before, after, lines)
    ]


def test_lines_are_followed_through_an_edit():
    after = ["# new", *TEXT[:3], "    y = (x @ x) * 2", *TEXT[4:]]
    lines = followed({FILE: TEXT}, {FILE: after})
    found = paired(side({4: 10, 5: 20, 8: 5}), side({5: 11, 6: 21, 9: 5}), lines)
    assert found == [(4, 5, "place"), (5, 6, "text"), (8, 9, "text")]


def test_a_line_without_time_on_one_side_stands_there_with_none():
    (pair,) = pairs(side({4: 10}), side({}), followed({FILE: TEXT}, {FILE: ["#", *TEXT]}))
    assert (pair.before.time_ps, pair.after.time_ps, pair.after.entry.line, pair.by) == (10, 0, 5, "text")
    (pair,) = pairs(side({}), side({5: 10}), followed({FILE: TEXT}, {FILE: ["#", *TEXT]}))
    assert (pair.before.time_ps, pair.after.time_ps, pair.before.entry.line, pair.by) == (0, 10, 4, "text")


def test_a_line_that_is_gone_has_no_counterpart():
    after = [*TEXT[:3], "    return x", *TEXT[5:]]
    found = paired(side({4: 10, 5: 20}), side({4: 11}), followed({FILE: TEXT}, {FILE: after}))
    assert len(found) == 2
    assert sum(before is not None and now is not None for before, now, _ in found) == 1


def test_what_is_left_over_of_one_function_is_one_line():
    # Nothing says where the lines of this file went.
    lines = PairedLines({FILE: FILE}, lambda _: None, lambda _: None)
    assert paired(side([line(4, 10, function="f")]), side([line(9, 12, function="f")]), lines) == [(4, 9, "function")]
    several = side([line(4, 10, function="f"), line(5, 10, function="f")])
    assert {by for _, _, by in paired(several, side([line(9, 12, function="f")]), lines)} == {None}


def test_a_line_that_is_still_there_did_not_become_a_new_one():
    after = [*TEXT[:3], "    x = x / 2", *TEXT[3:]]
    lines = followed({FILE: TEXT}, {FILE: after})
    found = paired(side([line(5, 10, function="step")]), side([line(4, 12, function="step")]), lines)
    assert sorted(found, key=str) == [(5, 6, "text"), (None, 4, None)]


def test_without_its_text_a_line_goes_by_its_key():
    lines = PairedLines()
    found = paired(side([line(4, 10, key="k")]), side([line(9, 12, key="k"), line(4, 5, key="l")]), lines)
    assert found == [(4, 9, "name"), (None, 4, None)]


def test_ops_pair_with_their_kind_on_their_line_alone():
    before = side([op(4, "dot"), op(4, "add"), op(5, "dot"), op(None, "copy")])
    after = side([op(4, "dot"), op(4, "multiply"), op(5, "dot", shape="f32[16]"), op(None, "copy")])
    found = pairs(before, after, in_place())
    assert [(pair.before and pair.before.entry.label, pair.after and pair.after.entry.label) for pair in found] == [
        ("dot", "dot"),
        (None, "multiply"),
        ("dot", "dot"),
        ("copy", "copy"),
        ("add", None),
    ]


def test_of_equal_ops_those_of_equal_shapes_are_one():
    before = side([op(4, "dot", shape="f32[8]"), op(4, "dot", shape="f32[16]")])
    after = side([op(4, "dot", shape="f32[16]"), op(4, "dot", shape="f32[32]")])
    found = [(pair.before.entry.key, pair.after.entry.key) for pair in pairs(before, after, in_place())]
    assert found == [
        ("train.py:4:dot:f32[16]", "train.py:4:dot:f32[16]"),
        ("train.py:4:dot:f32[8]", "train.py:4:dot:f32[32]"),
    ]


texts = st.lists(st.sampled_from(TEXT), max_size=12)


@given(texts, texts, st.data())
def test_every_row_is_in_one_pair_and_no_time_is_lost(before, after, data):
    def rows(text):
        numbers = data.draw(st.sets(st.integers(1, len(text)))) if text else set()
        return {number: data.draw(st.integers(1, 10**15)) for number in sorted(numbers)}

    earlier, later = side(rows(before)), side(rows(after))
    found = pairs(earlier, later, followed({FILE: before}, {FILE: after}))
    for rows_of, part in ((earlier, 0), (later, 1)):
        there = [pair[part] for pair in found if pair[part] is not None and pair[part].time_ps]
        assert sorted(map(id, there)) == sorted(map(id, rows_of))

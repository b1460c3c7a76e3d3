"""Two trees as one: at every node the sums hold on both sides, and what has no counterpart stays where it was."""

import attrs
from hypothesis import given
from hypothesis import strategies as st

from made.comparisons import circumstances
from scopelight.analysis.compare.entries import Entry
from scopelight.analysis.compare.pairing import PairedLines
from scopelight.analysis.compare.trees.merging import judge_tree, merged, record_of
from scopelight.analysis.compare.trees.side import TreeEntry, side_tree

EXACT = circumstances(1, is_exact=True, controls=False)


def entry(path, own, **fields):
    """A node by the names on the way to it."""
    found_by = Entry(key=path[-1], kind="scope", label=path[-1], identities=(path[-1],))
    above = "/".join(path[:-1]) or None
    return TreeEntry("/".join(path), above, "scope", found_by, own, **fields)


def compared(before, after, of=EXACT, unit="bytes"):
    """Each side is its runs; a run is own amounts by the path."""
    sides = [side_tree([[entry(path, own) for path, own in run.items()] for run in side]) for side in (before, after)]
    nodes = merged(*sides, PairedLines())
    judge_tree(nodes, of, unit)
    return [record_of(node) for node in nodes]


def sums_hold(nodes):
    for node in nodes:
        assert (node.before or 0) + node.change == (node.after or 0)
        below = [each for each in nodes if each.parent == node.key]
        assert (node.before or 0) == (node.before_self or 0) + sum(each.before or 0 for each in below)
        assert (node.after or 0) == (node.after_self or 0) + sum(each.after or 0 for each in below)
    assert len({node.key for node in nodes}) == len(nodes)


def test_what_is_on_one_side_alone_stays_below_the_node_it_was_in():
    before = {("all",): 1, ("all", "gone"): 30, ("all", "gone", "below"): 4, ("all", "kept"): 10}
    after = {("all",): 1, ("all", "kept"): 12, ("all", "new"): 5}
    nodes = compared([before], [after])
    assert [(node.depth, node.label, node.before, node.after, node.verdict) for node in nodes] == [
        (0, "all", 45, 18, "better"),
        (1, "kept", 10, 12, "worse"),
        (1, "new", None, 5, "only-after"),
        (1, "gone", 34, None, "only-before"),
        (2, "below", 4, None, "only-before"),
    ]
    sums_hold(nodes)


def test_what_is_only_before_takes_no_key_of_what_is_after():
    # Its name is that of another node, which is no counterpart: they are of different kinds.
    sides = []
    for identity in ("one", "other"):
        found_by = Entry(key=identity, kind="scope", label="x", identities=(identity,))
        sides.append(side_tree([[TreeEntry("x", None, "scope", found_by, 7)]]))
    nodes = merged(*sides, PairedLines())
    assert len({node.key for node in nodes}) == 2
    assert [node.key == "x" for node in nodes] == [True, False]


def test_a_round_may_lack_a_node():
    nodes = compared([{("a",): 10, ("a", "b"): 4}, {("a",): 12}], [{("a",): 12}, {("a",): 12, ("a", "b"): 2}])
    sums_hold(nodes)
    assert [(node.label, node.before, node.after) for node in nodes] == [("a", 13, 13), ("b", 2, 1)]


names = st.sampled_from("abc")
paths = st.lists(names, min_size=1, max_size=4).map(tuple)


@st.composite
def runs(draw):
    """A tree with an amount in each node: what is above a node is there as well."""
    found = {}
    for path in draw(st.lists(paths, max_size=12)):
        for end in range(1, len(path) + 1):
            found.setdefault(path[:end], draw(st.integers(0, 10**15)))
    return dict(sorted(found.items()))


@given(st.integers(1, 3).flatmap(lambda rounds: st.tuples(*[st.lists(runs(), min_size=rounds, max_size=rounds)] * 2)))
def test_sums_hold_at_every_node(sides):
    before, after = sides
    rounds = len(before)
    nodes = compared(before, after, circumstances(rounds))
    sums_hold(nodes)
    for side, name in ((before, "before_self"), (after, "after_self")):
        whole = sum(sum(run.values()) for run in side)
        assert sum(getattr(node, name) or 0 for node in nodes) == round(whole / rounds)


def test_what_rounding_alone_makes_of_a_time_is_no_change():
    assert [node.verdict for node in compared([{("a",): 10**9}], [{("a",): 10**9 - 1}], unit="ps")] == ["same"]
    assert [node.verdict for node in compared([{("a",): 10**9}], [{("a",): 10**9 - 1}])] == ["better"]


@given(runs())
def test_a_tree_is_the_same_as_itself(run):
    assert {node.verdict for node in compared([run], [run])} <= {"same"}


def test_one_run_each_of_a_noisy_clock_tells_nothing():
    on_cpu = circumstances(1, is_on_cpu=True)
    assert {node.verdict for node in compared([{("a",): 10}], [{("a",): 90}], on_cpu)} == {"cannot-tell"}


def test_inner_nodes_are_judged_by_their_sums_in_every_round():
    rounds = 5
    before = [{("all",): 0, ("all", "a"): 1000 + each, ("all", "b"): 3000 - each} for each in range(rounds)]
    after = [{**run, ("all", "a"): run["all", "a"] * 3 // 2} for run in before]
    nodes = compared(before, after, attrs.evolve(circumstances(rounds), controls=False))
    assert {node.label: node.verdict for node in nodes} == {"all": "worse", "a": "worse", "b": "same"}
    whole = nodes[0]
    assert whole.interval is not None and whole.interval[0] <= whole.change <= whole.interval[1]

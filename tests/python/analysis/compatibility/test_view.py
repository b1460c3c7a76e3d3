"""Ops are counted by line, function, scope and program: each count is the same ops, and shares are what is valid."""

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made.findings import codes, values
from made.predictions import PARTS
from scopelight.analysis.compatibility.placed_ops import counted_ops
from scopelight.analysis.compatibility.view import compatibility
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.compatibility import (
    Compatibility,
    JudgedOp,
    LostProgram,
    OpsOfProgram,
    UntracedCall,
    read_compatibility,
)
from scopelight.model.run.prediction import PlaceOfCall, PredictedProgram, Prediction
from scopelight.source.workspace import line_options

VERDICTS = ("native", "emulated", "on-host", "refused", "unjudged")
FILE = "/home/user/project/train.py"
KINDS = ("native", "emulated", "on_host", "refused", "unjudged")


@pytest.fixture(scope="module")
def empty_run(tmp_path_factory):
    return open_profile(PARTS), tmp_path_factory.mktemp("run")


def record_of(run, known, programs=()):
    profile, folder = run
    prediction = Prediction("v5e-8", "TPU v5e", programs=programs or (PredictedProgram(1, "jit(step)", "compiled"),))
    made = attrs.evolve(profile, path=folder, prediction=prediction, compatibility=lambda: known)
    return compatibility(Subject.of(made), NoOptions())


def op(verdict="native", primitive="mul", **more):
    return JudgedOp(f"{primitive} {verdict}", primitive, verdict, "program", **more)


def known_of(ops, rows, lines=(3, 5), paths=("", "model"), **more):
    """A run with a program of ``rows``: op, stack, path and count."""
    columns = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Compatibility(
        ops=tuple(ops),
        frames=tuple(PlaceOfCall(FILE, line, f"function{line}") for line in lines),
        stacks=tuple((each,) for each in range(len(lines))),
        paths=tuple(paths),
        programs=(OpsOfProgram(1, *columns),),
        **more,
    )


def test_the_recorded_parts_have_the_shares_that_are_counted_by_hand():
    profile = open_profile(PARTS)
    record = compatibility(Subject.of(profile, line_options(profile)), NoOptions())
    assert {each.name: tuple(getattr(each, kind) for kind in KINDS) for each in record.scopes} == {
        "model": (5, 11, 1, 3, 0),
        "model/dense": (3, 0, 0, 1, 0),
        "model/precise": (0, 10, 0, 0, 0),
        "model/precise/whole": (0, 4, 0, 0, 0),
        "model/spectrum": (1, 0, 0, 1, 0),
        "model/waves": (0, 1, 0, 0, 0),
        "model/outside": (1, 0, 1, 1, 0),
        "small": (1, 2, 0, 0, 0),
    }
    assert record.scopes[0].valid_ratio == 17 / 20
    assert {each.primitive: each.cause for each in record.ops if each.verdict == "refused"} == {
        "eig": "decomposition",
        "ffi_call": "custom-call",
        "dot_general": "dot-algorithm",
    }
    assert values(record, "emulated-wide") == {"ops": 12, "types": ("float64", "int64")}
    assert values(record, "refused-custom-call") == {"ops": 1, "targets": ("made_up_target",)}


def test_a_run_that_was_measured_or_told_nothing_says_so(empty_run):
    profile, _ = empty_run
    measured = attrs.evolve(profile, prediction=None, compatibility=lambda: None)
    assert codes(compatibility(Subject.of(measured), NoOptions()), "empty") == ["compatibility-not-judged"]
    assert codes(record_of(empty_run, None), "empty") == ["compatibility-unknown"]


def test_what_is_in_a_scope_includes_what_is_in_scopes_within_it(empty_run):
    known = known_of([op(), op("refused", "eig")], [(0, 0, 1, 3), (1, 0, 2, 1)], paths=("", "model", "model/head"))
    counted = {each.name: (each.ops, each.refused, each.valid_ratio) for each in record_of(empty_run, known).scopes}
    assert counted == {"model": (4, 1, 0.75), "model/head": (1, 1, 0.0)}


def test_what_is_not_judged_is_not_valid_and_stands_apart(empty_run):
    total = record_of(empty_run, known_of([op(), op("unjudged", "odd")], [(0, 0, 0, 3), (1, 0, 0, 1)])).total
    assert (total.unjudged, total.refused, total.valid_ratio) == (1, 0, 0.75)


def test_programs_of_one_name_are_one_row_unless_another_thing_becomes_of_them(empty_run):
    known = attrs.evolve(
        known_of([op(), op("refused", "eig")], [(0, 0, 0, 1)]),
        programs=(
            OpsOfProgram(1, (0,), (0,), (0,), (1,)),
            OpsOfProgram(2, (0,), (0,), (0,), (1,)),
            OpsOfProgram(3, (1,), (0,), (0,), (1,)),
        ),
    )
    programs = (
        PredictedProgram(1, "jit(add)", "compiled"),
        PredictedProgram(2, "jit(add)", "compiled"),
        PredictedProgram(3, "jit(add)", "not-lowered", message="no rule for eig"),
        PredictedProgram(4, "jit(copy)", "compiled"),
    )
    rows = record_of(empty_run, known, programs).programs
    assert [(each.name, each.outcome, each.programs, each.ops, each.valid_ratio) for each in rows] == [
        ("jit(add)", "not-lowered", 1, 1, 0.0),
        ("jit(add)", "compiled", 2, 2, 1.0),
        ("jit(copy)", "compiled", 1, 0, 1.0),
    ]
    assert rows[0].message == "no rule for eig"


def test_a_call_that_could_not_be_traced_is_a_refused_op_of_its_line(empty_run):
    call = UntracedCall("nonzero", "ConcretizationTypeError", "Abstract tracer.", (PlaceOfCall(FILE, 9, "find"),))
    record = record_of(empty_run, known_of([op()], [(0, 0, 0, 2)], untraced=(call,)))
    assert (record.total.ops, record.total.refused) == (3, 1)
    (refused,) = record.ops
    assert (refused.line, refused.function, refused.cause, refused.programs) == (9, "find", "size-unknown", ())
    assert sum(each.ops for each in record.programs) == 2
    assert "refused-size-unknown" in codes(record)


def test_a_program_that_is_refused_although_no_op_is_says_so(empty_run):
    programs = (PredictedProgram(1, "jit(step)", "refused", message="INTERNAL: too much of it.\nmore"),)
    record = record_of(empty_run, known_of([op()], [(0, 0, 0, 1)]), programs)
    assert values(record, "refused-together") == {"program": "jit(step)", "said": "too much of it"}


def test_what_could_not_be_told_is_said(empty_run):
    known = known_of([op()], [(0, 0, 0, 1)], lost=(LostProgram(2, "ValueError: odd"),), is_whole=False)
    assert {"compatibility-lost", "compatibility-not-whole"} <= set(codes(record_of(empty_run, known), "warning"))


def test_ops_of_one_kind_on_a_line_are_one_row_and_keep_their_key(empty_run):
    rows = [(0, 0, 1, 2), (0, 0, 1, 3), (0, 1, 1, 1)]
    known = known_of([op("emulated", wide=("float64",))], rows)
    record = record_of(empty_run, known)
    assert [(each.line, each.count) for each in record.ops] == [(3, 5), (5, 1)]
    assert len({each.key for each in record.ops}) == 2
    again = record_of(empty_run, known_of([op("emulated", wide=("float64",))], rows[::-1]))
    assert {each.key for each in again.ops} == {each.key for each in record.ops}


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 1), st.integers(0, 3), st.integers(1, 9)), min_size=1, max_size=20
    )
)
def test_every_way_of_counting_counts_the_same_ops(empty_run, rows):
    known = known_of([op(each) for each in VERDICTS], rows, paths=("", "a", "a/b", "a/c"))
    record = record_of(empty_run, known)
    for places in (record.lines, record.functions, record.programs):
        for kind in KINDS:
            assert sum(getattr(each, kind) for each in places) == getattr(record.total, kind)
    for each in (record.total, *record.lines, *record.functions, *record.programs, *record.scopes):
        assert sum(getattr(each, kind) for kind in KINDS) == each.ops
        assert each.valid_ratio == (each.ops - each.refused - each.unjudged) / each.ops
    inner = sum(each.ops for each in record.scopes if each.name.startswith("a/"))
    own = sum(count for _, _, path, count in rows if path == 1)
    assert sum(each.ops for each in record.scopes if each.name == "a") == inner + own
    assert sum(each.count for each in record.ops) == record.total.ops - record.total.native


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 4), max_size=10))
def test_a_damaged_file_names_nothing_wrongly(empty_run, rows):
    record = record_of(empty_run, known_of([op()], rows))
    meant = [row for row in rows if row[0] < 1 and row[1] < 2 and row[2] < 2]
    assert (record.total.ops if record.total is not None else 0) == sum(row[3] for row in meant)


def test_graphs_can_ask_by_line_and_by_scope():
    profile = open_profile(PARTS)
    frames = centre_of(profile, line_options(profile)).frames
    known = read_compatibility(PARTS)
    counted = counted_ops(known, frames)
    dense = counted.by_scope.of(("model", "dense"))
    assert dense.counts == {"native": 3, "emulated": 0, "on_host": 0, "refused": 1, "unjudged": 0}
    for tallies in (counted.by_line, counted.by_line_and_phase, counted.by_primitive):
        assert sum(each.refused for each in tallies.by_key.values()) == 3
    assert sum(each.ops for each in counted_ops(known, frames, 1).by_line.by_key.values()) == 20

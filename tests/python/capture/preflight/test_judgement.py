"""An op is what its kind, a program that compiles, or the compiler of it alone says; only what is open is asked."""

import pytest

from scopelight.capture.preflight.judgement import Judgement
from scopelight.capture.tpu_compiler.task import Verdict

PLACE = [["/train.py", 3, "step"]]


def an_op(key, primitive="mul", *, wide=(), on_host=False, in_shards=False, operands=("float32[8]",)):
    return {
        "key": key,
        "primitive": primitive,
        "operands": list(operands),
        "results": ["float32[8]"],
        "parameters": "",
        "wide": list(wide),
        "is_on_host": on_host,
        "is_in_shards": in_shards,
    }


def judging(ops, programs, judges="failed"):
    """``programs``: by number the positions of their ops."""
    judgement = Judgement(judges)
    tables = {"ops": ops, "stacks": [PLACE], "paths": [""]}
    for number, positions in programs.items():
        rows = [[each, 0, 0, 1] for each in positions]
        judgement.told({"program": number, "rows": rows, **tables})
        tables = {"ops": [], "stacks": [], "paths": []}
    judgement.all_told({"untraced": [], "lost": []})
    return judgement


def verdicts(judgement, outcomes):
    return {each.key: (each.verdict, each.judged_by) for each in judgement.record(outcomes).ops}


def test_an_op_of_a_program_that_compiles_is_not_asked_again():
    judgement = judging([an_op("a"), an_op("b")], {1: [0], 2: [0, 1]})
    outcomes = {1: "compiled", 2: "refused"}
    assert judgement.wanted(outcomes) == ["b"]
    judgement.alone("b", Verdict("refused", "no", "JaxRuntimeError"))
    assert verdicts(judgement, outcomes) == {"a": ("native", "program"), "b": ("refused", "alone")}


def test_what_the_compiler_refuses_alone_and_takes_in_a_program_is_valid():
    judgement = judging([an_op("a")], {1: [0]}, "all")
    assert judgement.wanted({1: "compiled"}) == ["a"]
    judgement.alone("a", Verdict("refused", "no"))
    assert verdicts(judgement, {1: "compiled"}) == {"a": ("native", "program")}


def test_a_program_without_room_was_taken_op_by_op():
    judgement = judging([an_op("a", wide=["float64"])], {1: [0]})
    assert judgement.wanted({1: "no-room"}) == []
    assert verdicts(judgement, {1: "no-room"}) == {"a": ("emulated", "program")}


@pytest.mark.parametrize(
    ("op", "verdict"),
    [
        (an_op("a", "pure_callback"), "on-host"),
        (an_op("a", on_host=True, wide=["float64"]), "on-host"),
        (an_op("a", "custom_partitioning"), "unjudged"),
        (an_op("a", "psum", in_shards=True), "native"),
        (an_op("a", "psum", in_shards=True, wide=["complex64"]), "emulated"),
        (an_op("a", "sharding_constraint", wide=["float64"]), "native"),
    ],
)
def test_kinds_that_say_it_themselves_are_not_asked(op, verdict):
    judgement = judging([op], {1: [0]}, "all")
    assert judgement.wanted({1: "refused"}) == []
    assert verdicts(judgement, {1: "refused"}) == {"a": (verdict, "kind")}


def test_transforms_of_complex_numbers_are_what_a_tpu_has_unless_they_are_of_doubles():
    ops = [an_op("a", "fft", wide=["complex64"]), an_op("b", "fft", wide=["complex128"])]
    judgement = judging(ops, {1: [0, 1]})
    assert verdicts(judgement, {1: "compiled"}) == {"a": ("native", "program"), "b": ("emulated", "program")}


@pytest.mark.parametrize("outcome", ["crashed", "memory-limit", "too-few-devices"])
def test_where_the_compiler_says_nothing_of_an_op_it_is_not_judged(outcome):
    judgement = judging([an_op("a")], {1: [0]})
    assert judgement.wanted({1: "refused"}) == ["a"]
    judgement.alone("a", Verdict(outcome, "ended"))
    assert verdicts(judgement, {1: "refused"}) == {"a": ("unjudged", "alone")}


def test_an_op_that_lacks_the_devices_around_it_is_not_refused():
    ops = [an_op("a", "my_exchange", in_shards=True), an_op("b", "my_op")]
    judgement = judging(ops, {1: [0, 1]})
    for key in "ab":
        judgement.alone(key, Verdict("not-lowered", "unbound axis name: x", "NameError"))
    found = verdicts(judgement, {1: "not-lowered"})
    assert found == {"a": ("unjudged", "alone"), "b": ("refused", "alone")}


def test_of_programs_that_were_cancelled_nothing_is_asked():
    judgement = judging([an_op("a")], {1: [0]})
    assert judgement.wanted({1: "cancelled"}) == []
    assert verdicts(judgement, {1: "cancelled"}) == {"a": ("unjudged", "nothing")}


def test_an_op_alone_that_was_cancelled_was_judged_by_nothing():
    judgement = judging([an_op("a")], {1: [0]})
    judgement.alone("a", Verdict("cancelled"))
    assert verdicts(judgement, {1: "refused"}) == {"a": ("unjudged", "nothing")}
    assert "a" not in judgement.compiled_alone


def test_what_reads_a_reference_cannot_be_a_program_of_its_own():
    judgement = judging([an_op("a", "get", operands=["Ref{float32[8]}"])], {1: [0]}, "all")
    assert judgement.wanted({1: "refused"}) == []


def test_places_of_the_lowering_are_not_kept():
    judgement = judging([an_op("a")], {1: [0]})
    judgement.alone("a", Verdict("refused", "no\n\nSuspected Python Code Location:\n  ours.py:3 [f]"))
    (op,) = judgement.record({1: "refused"}).ops
    assert op.message == "no"


def test_a_script_that_ended_before_it_told_all_says_so():
    judgement = Judgement()
    assert not judgement.record({}).is_whole
    judgement.all_told({"untraced": [], "lost": [{"program": 1, "message": "odd"}]})
    record = judgement.record({})
    assert record.is_whole
    assert [(each.number, each.message) for each in record.lost] == [(1, "odd")]


@pytest.mark.parametrize(
    ("multiplies", "primitive", "expected"),
    [
        (False, "dot_general", ("emulated", ("float8_e4m3fn", "float8_e5m2"))),
        (False, "conv_general_dilated", ("emulated", ("float8_e4m3fn", "float8_e5m2"))),
        (False, "reshape", ("native", ())),
        (True, "dot_general", ("native", ())),
    ],
)
def test_products_of_eight_bits_are_widened_where_no_matrix_unit_has_them(multiplies, primitive, expected):
    operands = ("float8_e4m3fn[8,8]", "float8_e5m2[8,8]")
    judgement = judging([an_op("a", primitive, operands=operands)], {1: [0]})
    judgement.multiplies_float8 = multiplies
    (op,) = judgement.record({1: "compiled"}).ops
    assert (op.verdict, op.wide) == expected

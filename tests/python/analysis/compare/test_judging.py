"""Verdicts: which changes are told, on which evidence, and how seldom they cry wolf."""

import attrs
import numpy as np
import pytest

from made.comparisons import SECOND_PS, circumstances, in_place, line, noisy_pairs, side
from scopelight.analysis.compare.judging import judge, judge_whole
from scopelight.analysis.compare.pairing import pairs

FOUR = [SECOND_PS // 100] * 4


def judged(before, after, of):
    return judge(pairs(before, after, in_place()), of)


def test_one_run_each_of_a_wall_clock_tells_nothing():
    of = circumstances(1, is_on_cpu=True)
    (found,) = judged(side({1: 100}), side({1: 500}), of)
    assert (found.verdict, found.judged_by, found.interval, found.visible_ratio) == (
        "cannot-tell",
        "wall-clock",
        None,
        None,
    )


def test_one_run_each_of_cpu_time_tells_nothing_either():
    of = circumstances(1, is_on_cpu=True)
    (found,) = judged(side([line(1, 100, cpu_ps=100)]), side([line(1, 100, cpu_ps=180)]), of)
    assert (found.verdict, found.judged_by) == ("cannot-tell", "cpu-time")
    assert found.change_ratio == pytest.approx(0.8)


@pytest.mark.parametrize(("after", "verdict"), [(1099, "same"), (1101, "worse"), (899, "better")])
def test_one_run_each_on_an_accelerator_tells_a_tenth_and_says_so(after, verdict):
    (found,) = judged(side({1: 1000}), side({1: after}), circumstances(1))
    assert (found.verdict, found.judged_by, found.visible_ratio) == (verdict, "device-time", 0.1)


def test_what_mostly_waits_is_on_the_wall_clock_wherever_ops_run():
    (found,) = judged(side([line(1, 100, waiting_ps=90)]), side([line(1, 200, waiting_ps=190)]), circumstances(1))
    assert (found.verdict, found.judged_by) == ("cannot-tell", "wall-clock")


@pytest.mark.parametrize(("after", "verdict"), [(100, "same"), (101, "worse"), (99, "better")])
def test_what_is_exact_tells_one_unit_by_one_run_each(after, verdict):
    (found,) = judged(side({1: 100}), side({1: after}), circumstances(1, is_exact=True))
    assert (found.verdict, found.judged_by) == (verdict, "exact")


def test_exact_figures_that_differ_between_rounds_tell_no_more_than_they_agree_on():
    of = circumstances(2, is_exact=True)
    for before, after, verdict in (
        ([5, 6], [6, 7], "cannot-tell"),
        ([5, 6], [7, 8], "worse"),
        ([7, 8], [5, 6], "better"),
    ):
        assert judge_whole(before, after, "exact", of).verdict == verdict


def test_a_row_of_one_side_is_only_there():
    # Lines of files of which there is no text.
    before, after = side([line(1, 100, file="one.py")]), side([line(2, 50, file="other.py")])
    found = [each.verdict for each in judged(before, after, circumstances(1))]
    assert sorted(found) == ["only-after", "only-before"]


def test_runs_that_were_not_made_in_turn_tell_nothing_of_a_machine_that_drifts():
    runs = side(*[{1: 1000, 2: 1000}] * 5), side(*[{1: 1500, 2: 1000}] * 5)
    of = circumstances(5, in_turn=False, is_on_cpu=True)
    assert {each.verdict for each in judged(*runs, of)} == {"cannot-tell"}
    in_turn = attrs.evolve(of, in_turn=True)
    assert [each.verdict for each in judged(*runs, in_turn)] == ["worse", "same"]


def test_ten_percent_in_one_of_four_parts_is_found_and_the_same_code_is_not():
    generator = np.random.default_rng(20)
    of = circumstances(5)
    found = false = false_beside = 0
    for _ in range(200):
        told = judge(noisy_pairs(generator, FOUR, [1, 1.1, 1, 1]), of)
        found += told[1].verdict == "worse"
        false_beside += sum(each.verdict in ("worse", "better") for row, each in enumerate(told) if row != 1)
        same = judge(noisy_pairs(generator, FOUR, [1, 1, 1, 1]), of)
        false += any(each.verdict in ("worse", "better") for each in same)
    assert found >= 195
    assert false <= 6
    assert false_beside <= 12


def test_among_forty_lines_one_that_changed_is_told_and_hardly_any_other():
    generator = np.random.default_rng(21)
    factors = [1.1, *[1] * 39]
    found = false = 0
    for _ in range(40):
        told = judge(noisy_pairs(generator, [SECOND_PS // 1000] * 40, factors), circumstances(5))
        found += told[0].verdict == "worse"
        false += sum(each.verdict in ("worse", "better") for each in told[1:])
    assert found >= 20
    assert false <= 4


def test_the_rest_is_no_control_where_versions_or_devices_differ():
    generator = np.random.default_rng(22)
    made = noisy_pairs(generator, FOUR, [1.3, 1.3, 1.3, 1.3], machine=0.001, own=0.001)
    assert {each.verdict for each in judge(made, circumstances(5, controls=False))} == {"worse"}
    assert {each.controlled for each in judge(made, circumstances(5, controls=False))} == {False}
    assert {each.controlled for each in judge(made, circumstances(5))} == {True}


def test_what_computes_something_else_is_no_control():
    def runs(factor, flops):
        return side(
            *(
                [line(1, 1000 * factor, flops=flops), line(2, 1000 * factor, flops=flops), line(3, 1000, flops=5.0)]
                for _ in range(5)
            )
        )

    told = judged(runs(1, 100.0), runs(2, 200.0), circumstances(5))
    # Of the one row that is left no other stands for the rest of the run.
    assert [each.controlled for each in told] == [False, False, False]
    assert [each.verdict for each in told] == ["worse", "worse", "same"]


def test_no_change_names_the_smallest_that_would_have_been_seen():
    generator = np.random.default_rng(23)
    for each in judge(noisy_pairs(generator, FOUR, [1, 1, 1, 1]), circumstances(5)):
        assert each.verdict == "same"
        assert 0.03 <= each.visible_ratio <= 0.2
    for each in judge(noisy_pairs(generator, FOUR, [1, 1, 1, 1], own=0.5), circumstances(5)):
        assert each.verdict == "cannot-tell"
        assert each.visible_ratio > 0.2

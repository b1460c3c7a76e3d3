import pytest

from made.records import line, op, record, shared
from scopelight.report.annotations import LineAmount, annotation_text, choose_lines, is_estimated, lens_title
from scopelight.report.compact_annotation import compact_annotation

SECOND = 10**12
WHOLE = 100 * SECOND
LIMITS = {"threshold_ratio": 0.01, "most_lines": 20, "inclusive_ratio": 0.1}


def made(self_ps, **changes):
    """A line that has a share of 100 s."""
    return shared([line("a.py", 7, self_ps, **changes)], WHOLE)[0]


@pytest.mark.parametrize(
    ("changes", "options", "text"),
    [
        ({"per_step_ps": 12_400_000_000}, {}, "▰▰▰▰▱ 38.2 %  12.4 ms/step"),
        ({"per_step_ps": None}, {}, "▰▰▰▰▱ 38.2 %  38.2 s"),
        ({"per_step_ps": 12_400_000_000, "shared": True}, {}, "▰▰▰▰▱ ≈38.2 %  12.4 ms/step"),
        ({"per_step_ps": 12_400_000_000}, {"stale": True}, "▰▰▰▰▱ 38.2 %  12.4 ms/step (edited since)"),
        (
            {"per_step_ps": 12_400_000_000},
            {"change": "+12 % since 3f2a"},
            "▰▰▰▰▱ 38.2 %  12.4 ms/step  +12 % since 3f2a",
        ),
        ({"per_step_ps": 12_400_000_000}, {"change": "±"}, "▰▰▰▰▱ 38.2 %  12.4 ms/step ±"),
        (
            {"per_step_ps": 12_400_000_000},
            {"change": "±", "stale": True},
            "▰▰▰▰▱ 38.2 %  12.4 ms/step ± (edited since)",
        ),
        ({}, {"mode": "phases", "change": "±"}, "▰▰▰▰▱ 38.2 %  fwd 25 bwd 75"),
        ({}, {"mode": "phases"}, "▰▰▰▰▱ 38.2 %  fwd 25 bwd 75"),
        ({"inclusive_ps": 713 * SECOND // 10}, {"inclusive": True}, "╍╍╍╍╍ 71.3 % inclusive"),
        ({"inclusive_ps": 12 * SECOND}, {"inclusive": True}, "╍╍··· 12.0 % inclusive"),
        (
            {"inclusive_ps": 713 * SECOND // 10, "per_step_ps": 12_400_000_000},
            {"calls": True},
            "▰▰▰▰▱ 38.2 %  12.4 ms/step · ╍╍╍╍╍ 71.3 % inclusive",
        ),
        (
            {"inclusive_ps": 713 * SECOND // 10, "per_step_ps": 12_400_000_000},
            {"calls": True, "stale": True},
            "▰▰▰▰▱ 38.2 %  12.4 ms/step (edited since) · ╍╍╍╍╍ 71.3 % inclusive",
        ),
        (
            {"inclusive_ps": 713 * SECOND // 10},
            {"inclusive": True, "stale": True, "mode": "phases"},
            "╍╍╍╍╍ 71.3 % inclusive (edited since)",
        ),
    ],
)
def test_what_stands_after_a_line(changes, options, text):
    of = made(382 * SECOND // 10, **changes)
    assert annotation_text(of, options.pop("mode", "time"), **options) == text


def test_all_five_phases_have_their_words():
    phases = {"forward_ps": 20, "backward_ps": 55, "recompute_ps": 20, "optimizer_ps": 4, "other_ps": 1}
    of = line("a.py", 1, 100, **phases)
    assert annotation_text(of, "phases").endswith("%  fwd 20 bwd 55 recompute 20 opt 4 other 1")


def test_an_estimate_is_what_is_more_than_half_divided_or_inherited():
    ops = {
        (op(50), op(50, shared=True)): False,
        (op(49), op(51, shared=True)): True,
        (op(40), op(30, shared=True), op(30, inherited=True)): True,
        (op(100),): False,
    }
    for each, estimated in ops.items():
        assert is_estimated(line("a.py", 1, 100, ops=each)) is estimated


def choice(lines, whole, **changes):
    amounts = [LineAmount(each, each.self_ps, each.inclusive_ps) for each in lines]
    return choose_lines(amounts, whole, **{**LIMITS, **changes})


def chosen(lines, **changes):
    return [(each.line.line, each.inclusive, each.heat) for each in choice(lines, 1000, **changes)]


def test_hot_lines_are_chosen_in_their_order_with_their_heat():
    lines = [line("a.py", 3, 100), line("a.py", 1, 10), line("a.py", 2, 61)]
    assert chosen(lines) == [(1, False, 1), (2, False, 4), (3, False, 5)]


def test_the_threshold_alone_chooses_where_no_more_lines_are_wanted():
    lines = [line("a.py", number, share) for number, share in enumerate((100, 10, 9, 1), start=1)]
    assert [number for number, *_ in chosen(lines, most_lines=0)] == [1, 2]
    assert [number for number, *_ in chosen(lines, most_lines=3)] == [1, 2, 3]
    assert [number for number, *_ in chosen(lines, most_lines=0, threshold_ratio=0.0)] == [1, 2, 3, 4]


def test_a_share_that_rounds_to_nothing_is_not_shown_however_few_lines_there_are():
    lines = [line("a.py", 1, 5), line("a.py", 2, 4)]
    assert [each.line.line for each in choice(lines, 10_000)] == [1]


def test_a_call_site_is_shown_by_what_it_holds():
    lines = [
        line("a.py", 1, 0, inclusive_ps=100),
        line("a.py", 2, 0, inclusive_ps=99),
        line("a.py", 3, 5, inclusive_ps=500),
        line("a.py", 4, 20, inclusive_ps=500),
    ]
    # A little of its own does not hide what a call holds; enough of its own does.
    assert chosen(lines) == [(1, True, 0), (3, True, 0), (4, False, 5)]
    by_line = {each.line.line: each.share_ratio for each in choice(lines, 1000)}
    assert by_line == {1: 0.1, 3: 0.5, 4: 0.02}


def test_what_a_line_calls_is_a_word_beside_its_own_time_where_that_alone_is_worth_one():
    lines = [
        line("a.py", 1, 31, inclusive_ps=713),
        line("a.py", 2, 300, inclusive_ps=399),
        line("a.py", 3, 300, inclusive_ps=400),
        line("a.py", 4, 20, inclusive_ps=20),
    ]
    assert [each.line.line for each in choice(lines, 1000) if each.calls] == [1, 3]
    assert not any(each.calls for each in choice(lines[3:], 1000, inclusive_ratio=0.0))


def test_left_of_the_code_stand_a_bar_and_one_figure_that_end_in_one_column():
    def compact(of, mode="time", **options):
        return compact_annotation(of, mode, **options)

    assert compact(made(382 * SECOND // 10)) == "▰▰▰▰▱  38.2 %"
    assert compact(made(382 * SECOND // 10, shared=True)) == "▰▰▰▰▱ ≈38.2 %"
    assert compact(made(SECOND)) == "▰▱▱▱▱   1.0 %"
    assert compact(made(0, inclusive_ps=713 * SECOND // 10), inclusive=True) == "╍╍╍╍╍  71.3 %"


def test_left_of_the_code_the_phase_that_most_of_a_line_is_follows_its_figure():
    backward = made(40 * SECOND, forward_ps=10 * SECOND, backward_ps=30 * SECOND, other_ps=0)
    forward = made(40 * SECOND, forward_ps=40 * SECOND, other_ps=0)
    waiting = made(0, waiting_ps=40 * SECOND)
    assert compact_annotation(backward, "phases") == "▰▰▰▰▱  40.0 % bwd"
    assert compact_annotation(forward, "phases") == "▰▰▰▰▱  40.0 % fwd"
    assert compact_annotation(waiting, "phases") == compact_annotation(waiting, "time")
    call = made(0, inclusive_ps=40 * SECOND)
    assert compact_annotation(call, "phases", inclusive=True) == compact_annotation(call, "time", inclusive=True)


def test_a_file_of_call_sites_and_an_empty_record():
    assert chosen([line("a.py", 1, 0, inclusive_ps=1000)]) == [(1, True, 0)]
    assert chosen([]) == []
    assert choice([line("a.py", 1, 0)], 0) == []


def test_what_stands_above_a_function():
    around = record([line("a.py", 1, WHOLE)])
    assert lens_title("mlp", 46 * SECOND, around) == "mlp · 46 % · 23.0 s/step"
    assert lens_title("mlp", 46 * SECOND, record([line("a.py", 1, WHOLE)], steps=())) == "mlp · 46 % · 46.0 s"

import random
from difflib import SequenceMatcher

import pytest

from scopelight.source.drift import alignment, changed_lines
from scopelight.source.drift.drift import Place, follow
from scopelight.source.reading import split_lines

TEXT = """\
import jax

def norm(x):
    scale = jax.lax.rsqrt(x)
    return x * scale

def block(params, x):
    x = norm(x)
    y = x @ params["w1"]
    x = norm(x)
    return x

def loss(params, x):
    y = block(params, x)
    return y.sum()
"""
LINES = split_lines(TEXT)
HOT = 9


def states(recorded, present):
    drift = follow(recorded, present)
    return [drift.place(line).state for line, text in enumerate(recorded, 1) if text]


def test_the_same_text_is_current_everywhere():
    drift = follow(LINES, list(LINES))
    assert [drift.place(line) for line in range(1, len(LINES) + 1)] == [
        Place(line, "current") for line in range(1, len(LINES) + 1)
    ]
    assert [drift.recorded(line) for line in range(1, len(LINES) + 1)] == list(range(1, len(LINES) + 1))


def test_a_line_inserted_above_moves_the_lines_below():
    present = ["# a note", *LINES]
    drift = follow(LINES, present)
    assert drift.place(HOT) == Place(HOT + 1, "current")
    assert drift.recorded(1) is None
    assert drift.recorded(HOT + 1) == HOT
    assert set(states(LINES, present)) == {"current"}


@pytest.mark.parametrize(
    "changed",
    [
        '    y = x @ params["w1"] + 0',
        '    y = jnp.einsum("bi,ij->bj", x, params["w1"])',
        '        y = x @ params["w1"]',
        '    y=x@params["w1"]',
        "    y = x @ params['w1']",
    ],
)
def test_a_changed_line_is_stale_where_it_is_and_its_neighbours_are_not(changed):
    present = [*LINES[: HOT - 1], changed, *LINES[HOT:]]
    drift = follow(LINES, present)
    assert drift.place(HOT) == Place(HOT, "stale")
    assert drift.recorded(HOT) == HOT
    assert states(LINES, present).count("stale") == 1
    assert "gone" not in states(LINES, present)


def test_a_line_that_became_another_one_is_gone_and_leads_to_its_place():
    present = [*LINES[: HOT - 1], "    print('hello')", *LINES[HOT:]]
    drift = follow(LINES, present)
    assert drift.place(HOT) == Place(HOT, "gone")
    assert drift.recorded(HOT) is None


def test_a_deleted_line_is_gone_and_leads_to_what_followed_it():
    drift = follow(LINES, [*LINES[: HOT - 1], *LINES[HOT:]])
    assert drift.place(HOT) == Place(HOT, "gone")
    assert drift.place(HOT + 1) == Place(HOT, "current")


def test_a_duplicated_line_is_stale_until_that_is_undone():
    present = [*LINES[:HOT], LINES[HOT - 1], *LINES[HOT:]]
    drift = follow(LINES, present)
    assert drift.place(HOT) == Place(HOT, "stale")
    assert drift.place(HOT + 1) == Place(HOT + 2, "current")
    assert states(LINES, present).count("stale") == 1
    assert follow(LINES, LINES).place(HOT) == Place(HOT, "current")


def test_of_repeated_lines_one_of_which_was_deleted_none_is_taken_for_another():
    # x = norm(x) above the hot line went: the one below it stays what it was.
    drift = follow(LINES, [*LINES[:7], *LINES[8:]])
    assert drift.place(8).state == "gone"
    assert drift.place(10) == Place(9, "current")
    # Side by side it cannot be told which one of them went.
    recorded = ["def f(x):", "    x = g(x)", "    x = g(x)", "    return x"]
    drift = follow(recorded, [recorded[0], recorded[1], recorded[3]])
    assert [drift.place(2).state, drift.place(3).state] == ["stale", "gone"]
    assert drift.place(4) == Place(3, "current")


def test_a_function_that_is_cut_and_pasted_takes_its_lines_along():
    norm, block, loss = LINES[2:6], LINES[6:12], LINES[12:]
    present = [*LINES[:2], *block, *norm, *loss]
    drift = follow(LINES, present)
    assert set(states(LINES, present)) == {"current"}
    assert all(present[drift.place(line).line - 1] == text for line, text in enumerate(LINES, 1))
    assert drift.place(HOT) == Place(HOT - 4, "current")


def test_repeated_lines_go_with_the_function_that_was_moved():
    functions = [
        [f"def f{n}(x):", "    x = norm(x)", f"    x = x @ w{n}", "    x = norm(x)", "    return x", ""]
        for n in range(4)
    ]
    recorded = [line for each in functions for line in each]
    present = [line for each in (functions[0], functions[2], functions[3], functions[1]) for line in each]
    drift = follow(recorded, present)
    for line, place in ((7, 19), (9, 21), (13, 7), (15, 9), (19, 13), (21, 15)):
        assert drift.place(line) == Place(place, "current")
    # Their order alone gives two readings of these, their function one: none may point into another function.
    for line, function in ((8, 1), (10, 1), (14, 2), (16, 2), (20, 3), (22, 3)):
        place = drift.place(line)
        header = max(at for at in range(place.line) if present[at].startswith("def"))
        assert place.state != "current" or present[header] == f"def f{function}(x):"


def test_a_copied_function_leaves_the_lines_of_the_original_current():
    recorded = ["def f(x):", "    x = norm(x)", "    return x", "", "print(f)"]
    present = [*recorded[:4], "def g(x):", *recorded[1:]]
    drift = follow(recorded, present)
    assert [drift.place(line) for line in (1, 2, 3)] == [Place(line, "current") for line in (1, 2, 3)]
    assert drift.recorded(6) is None


def test_a_block_that_is_indented_is_stale_where_it_is():
    present = [*LINES[:7], "    with jax.named_scope('block'):", *(f"    {line}" for line in LINES[7:11]), *LINES[11:]]
    drift = follow(LINES, present)
    assert [drift.place(line) for line in (8, 9, 10, 11)] == [Place(line + 1, "stale") for line in (8, 9, 10, 11)]
    assert drift.place(14) == Place(15, "current")


def test_a_line_that_a_formatter_divides_is_stale_at_its_beginning():
    recorded = ["a = 1", "result = function(argument_one, argument_two, argument_three)", "b = 2"]
    present = ["a = 1", "result = function(", "    argument_one, argument_two, argument_three", ")", "b = 2"]
    drift = follow(recorded, present)
    assert drift.place(2).state == "stale"
    assert drift.place(2).line in (2, 3)
    assert drift.place(3) == Place(5, "current")
    assert follow(present, recorded).place(3) == Place(2, "stale")


def test_a_renamed_variable_makes_only_its_lines_stale():
    present = [line.replace("params", "weights") for line in LINES]
    drift = follow(LINES, present)
    for line, text in enumerate(LINES, 1):
        assert drift.place(line) == Place(line, "stale" if "params" in text else "current")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_white_space_at_the_end_do_not_count(end):
    present = split_lines(end.join(f"{line}  " for line in LINES))
    assert set(states(LINES, present)) == {"current"}
    assert set(states(LINES, split_lines(TEXT.rstrip("\n")))) == {"current"}


def test_a_form_feed_ends_no_line():
    recorded = split_lines("a = 1\n\x0c\nb = '\x0b\x1c\u2028'\nc = 3\n")
    assert len(recorded) == 5
    assert follow(recorded, recorded[1:]).place(4) == Place(3, "current")


def test_lines_that_never_were_and_empty_texts():
    assert follow(LINES, LINES).place(0) == Place(1, "gone")
    assert follow(LINES, LINES).place(400) == Place(len(LINES), "gone")
    assert follow(LINES, [""]).place(HOT) == Place(1, "gone")
    assert follow([], LINES).recorded(1) is None
    assert follow(LINES, LINES).recorded(0) is None


@pytest.fixture
def work(monkeypatch):
    """What following costs: cells of tables of lengths, and pairs of lines compared character by character."""
    done = {"cells": 0, "comparisons": 0}
    lengths = alignment._lengths

    def counted_lengths(rows, masks, columns):
        done["cells"] += len(rows) * columns
        return lengths(rows, masks, columns)

    class CountedMatcher(SequenceMatcher):
        def __init__(self, *arguments, **options):
            done["comparisons"] += 1
            super().__init__(*arguments, **options)

    monkeypatch.setattr(alignment, "_lengths", counted_lengths)
    monkeypatch.setattr(changed_lines, "SequenceMatcher", CountedMatcher)
    changed_lines._ratio_in_order.cache_clear()
    return done


def test_an_edit_of_a_long_file_compares_nothing_far_from_it(work):
    long = [line for part in range(1200) for line in (f"def f{part}(x):", *LINES[2:])]
    drift = follow(long, [*long[:9000], "    typed = 1", *long[9000:]])
    assert drift.place(9000) == Place(9000, "current")
    assert drift.place(9001) == Place(9002, "current")
    assert work == {"cells": 0, "comparisons": 0}
    follow(long, [*long[:9000], long[8999], *long[9000:]])
    assert work["cells"] < 100
    follow(long, [*long[:9000], "    typed = 1", *long[9001:]])
    assert work["comparisons"] <= 1


def test_the_work_for_texts_without_structure_is_bounded(work):
    source = random.Random(5)
    one = [source.choice("abcd") for _ in range(30_000)]
    other = [source.choice("abcd") for _ in range(30_000)]
    assert len(one) * len(other) > alignment.MOST_CELLS
    assert "current" not in states(one, other)
    assert work["cells"] == 0
    new = [f"value_{source.random()} = compute_{source.random()}" for _ in range(3000)]
    newer = [f"value_{source.random()} = compute_{source.random()}" for _ in range(3000)]
    follow(new, newer)
    assert 0 < work["comparisons"] <= changed_lines.MOST_COMPARISONS_IN_ALL
    follow(["x = 1"] * 20_000, ["x = 1"] * 19_999)
    assert work["cells"] == 0


def test_of_a_very_long_line_only_the_beginning_is_compared(work):
    drift = follow(["x" * 1_000_000, "b"], ["x" * 999_999 + "y", "b"])
    assert drift.place(1) == Place(1, "stale")
    assert work["comparisons"] == 0

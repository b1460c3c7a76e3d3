"""Waiting in words: after a line, on its card, in lists and sentences."""

import io
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.console import Console

from made.records import line, op, record, shared
from scopelight.analysis.records import ExposureRecord, MeanwhileRecord, SyncRecord
from scopelight.findings import note
from scopelight.report.annotations import annotation_text, is_estimated
from scopelight.report.card.hover import hover_card
from scopelight.report.host.waiting import (
    CLASS_NAMES,
    classes_text,
    exposures_text,
    idle_text,
    inclusive_bar,
    inclusive_whole_ps,
    is_mostly_waiting,
    line_bar,
    meanwhile_text,
    shares_text,
    waits_text,
    whole_ps,
)
from scopelight.report.language import text
from scopelight.report.lines import render_lines
from scopelight.report.sentences import short, wall_clock

MS = 10**9
WHOLE = 1000 * MS
SYNC = SyncRecord("train.py", None, 12, 1.0, 300 * MS, 250 * MS, shares_cores=False)


def waiting(waiting_ps, wall_ps=0, **changes):
    """A line that devices wait for, of a second of wall clock in two steps."""
    fields = {
        "waiting_ps": waiting_ps,
        "waiting_inclusive_ps": waiting_ps,
        "waiting_classes": {"input": waiting_ps},
        "waiting_per_step_ps": waiting_ps // 2,
        "per_step_ps": (waiting_ps + wall_ps) // 2,
        "basis": "exact",
        **changes,
    }
    return shared([line("train.py", 5, wall_ps, **fields)], WHOLE)[0]


def place(path, number):
    return f"{path}:{number}"


@pytest.mark.parametrize(
    ("of", "options", "said"),
    [
        (waiting(620 * MS), {}, "○○○○· 62.0 % of the step  device waits 310 ms/step"),
        (waiting(620 * MS, basis="estimated"), {}, "○○○○· ≈62.0 % of the step  device waits 310 ms/step"),
        (waiting(620 * MS), {"stale": True}, "○○○○· 62.0 % of the step  device waits 310 ms/step (edited since)"),
        (waiting(620 * MS), {"mode": "phases"}, "○○○○· 62.0 % of the step  device waits 310 ms/step"),
        (
            waiting(620 * MS, waiting_per_step_ps=None),
            {"whole": "of the whole window"},
            "○○○○· 62.0 % of the whole window  device waits 620 ms",
        ),
        (waiting(200 * MS, 300 * MS), {}, "▰▰○○▱ 50.0 %  250 ms/step  device waits 100 ms/step"),
        (waiting(200 * MS, 300 * MS), {"mode": "phases"}, "▰▰○○▱ 50.0 %  fwd 25 bwd 75"),
        (waiting(10 * MS, 300 * MS), {}, "▰▰○▱▱ 31.0 %  155 ms/step  device waits 5.00 ms/step"),
        (waiting(9 * MS, 300 * MS), {}, "▰▰○▱▱ 30.9 %  154 ms/step"),
        (waiting(4 * MS, 300 * MS), {}, "▰▰▰▱▱ 30.4 %  152 ms/step"),
    ],
)
def test_what_stands_after_a_line_that_devices_wait_for(of, options, said):
    options = {"whole": "of the step", **options}
    assert annotation_text(of, options.pop("mode", "time"), **options) == said


@pytest.mark.parametrize(
    ("wall_ps", "steps", "said"),
    [
        (400 * MS, 2, "╍╍╍◌◌ 70.0 % inclusive"),
        (0, 2, "◌◌◌·· 30.0 % inclusive  device waits 150 ms/step"),
        (100 * MS, 2, "╍◌◌◌· 40.0 % inclusive  device waits 150 ms/step"),
        (0, None, "◌◌◌·· 30.0 % inclusive  device waits 300 ms"),
    ],
)
def test_a_call_site_that_waits_looks_like_what_waits(wall_ps, steps, said):
    whole = wall_ps + 300 * MS
    of = waiting(
        0,
        inclusive_wall_ps=wall_ps,
        waiting_inclusive_ps=300 * MS,
        inclusive_per_step_ps=whole // steps if steps else None,
    )
    assert annotation_text(of, "time", inclusive=True) == said


@given(st.integers(0, WHOLE), st.integers(0, WHOLE))
def test_a_bar_has_five_cells_and_shows_what_there_is(wall_ps, waiting_ps):
    of = waiting(waiting_ps, wall_ps)
    bar = line_bar(of)
    calls = attrs.evolve(
        of,
        inclusive_wall_ps=wall_ps,
        waiting_inclusive_ps=waiting_ps,
        inclusive_share_ratio=of.share_ratio,
    )
    # What is inclusive is as long, in cells of its own.
    assert inclusive_bar(calls) == bar.replace("▰", "╍").replace("○", "◌").replace("▱", "·")
    assert len(bar) == 5
    assert set(bar) <= set("▰○▱·")
    assert bar == "".join(sorted(bar, key="▰○▱·".index))
    assert "▰" in bar or not wall_ps or is_mostly_waiting(of)
    assert "○" not in bar or waiting_ps
    # Cells that are left are drawn as the filled ones are.
    assert not {"▱", "·"} <= set(bar)
    assert ("·" in bar) <= ("▰" not in bar)
    filled = 5 - bar.count("▱") - bar.count("·")
    assert (filled == 0) == (wall_ps + waiting_ps == 0)


@given(st.integers(0, WHOLE // 2), st.integers(0, WHOLE // 2), st.integers(0, WHOLE // 2))
def test_a_longer_line_has_no_shorter_bar(wall_ps, waiting_ps, more_ps):
    def cells(of):
        return 5 - line_bar(of).count("▱") - line_bar(of).count("·")

    assert cells(waiting(waiting_ps, wall_ps)) <= cells(waiting(waiting_ps + more_ps, wall_ps))


def test_a_line_is_of_waiting_where_that_is_the_longer_part():
    assert is_mostly_waiting(waiting(301, 300))
    assert not is_mostly_waiting(waiting(300, 300))
    assert not is_mostly_waiting(waiting(0, 0))


def test_what_a_line_has_is_its_ops_and_its_waiting():
    of = waiting(20, 30, inclusive_wall_ps=70, waiting_inclusive_ps=50)
    assert (whole_ps(of), inclusive_whole_ps(of)) == (50, 120)


def test_an_estimate_is_that_of_the_longer_part():
    divided = {"ops": (op(300 * MS, shared=True),)}
    assert is_estimated(waiting(400 * MS, basis="estimated"))
    assert not is_estimated(waiting(400 * MS, 300 * MS, **divided))
    assert is_estimated(waiting(200 * MS, 300 * MS, **divided))
    assert not is_estimated(waiting(200 * MS, 300 * MS, basis="estimated"))


def test_every_class_has_a_name_of_its_own():
    names = [text(each) for each in CLASS_NAMES.values()]
    assert len(set(names)) == len(names) == 12


def test_classes_are_written_as_percent_of_a_whole():
    classes = {"input": 880, "sync": 20, "dispatch": 4}
    assert classes_text(classes, 1000) == "input 88 reading results 2"
    assert idle_text(classes, 1000) == "input 88.0 %, reading results 2.0 %"
    assert idle_text({"input": 1}, 1000) == "input 0.1 %", "the longest is named, however short it is"


def test_of_idle_time_of_which_nothing_is_known_nothing_is_said():
    assert idle_text({"unknown": 500}, 1000) == ""
    assert idle_text({}, 1000) == ""
    assert idle_text({"compile": 500, "unknown": 100}, 1000) == "compiling 50.0 %, not known 10.0 %"


def test_no_more_than_four_classes_are_named_and_the_rest_is_one():
    classes = dict.fromkeys(["input", "sync", "dispatch", "python", "transfer", "callback"], 100)
    said = "input 10.0 %, reading results 10.0 %, launching 10.0 %, other Python 10.0 %"
    assert idle_text(classes, 1000) == f"{said}, other 20.0 %"
    assert idle_text(dict.fromkeys(["input", "sync", "dispatch", "python"], 100), 1000) == said


def test_why_devices_waited_for_a_line_is_in_shares_of_that():
    of = waiting(1000, waiting_classes={"input": 979, "dispatch": 20, "sync": 1})
    assert shares_text(of) == "input 98 %, launching 2 %"


def test_how_long_devices_waited():
    assert waits_text(waiting(728 * MS)) == "device waits 364 ms/step"
    assert waits_text(waiting(728 * MS, waiting_per_step_ps=None)) == "device waits 728 ms"
    compiling = waiting(728 * MS, waiting_classes={"compile": 700 * MS, "dispatch": 28 * MS})
    assert waits_text(compiling) == "device waits 364 ms/step for the compiler"


def exposed(*exposures, syncs=(SYNC,)):
    of = waiting(400 * MS, exposed_by=tuple(ExposureRecord("train.py", None, *each) for each in exposures))
    return list(exposures_text(of, record([of], syncs=syncs), place))


def test_what_exposed_a_line_is_said_with_what_a_step_takes_without_it():
    assert exposed((12, 300 * MS)) == [
        "75 % of it comes after the wait for a result at train.py:12. Without that wait a step takes 250 ms at best"
    ]


def test_where_host_and_device_share_cores_it_is_said():
    on_cores = SyncRecord("train.py", None, 12, 1.0, 0, 250 * MS, shares_cores=True)
    (said,) = exposed((12, 300 * MS), syncs=(on_cores,))
    assert said.endswith("a step takes 250 ms at best (more, as host and device share cores)")


def test_of_a_wait_outside_of_the_steps_it_is_not_known_what_they_take_without_it():
    assert exposed((13, 400 * MS)) == ["100 % of it comes after the wait for a result at train.py:13"]


def test_that_a_wait_exposed_itself_is_not_said():
    assert exposed((5, 400 * MS)) == []


def test_two_waits_are_named_at_most():
    assert len(exposed((12, 300), (13, 200), (14, 100))) == 2
    assert exposed() == []


def meanwhile(*rows):
    of = waiting(
        400 * MS,
        meanwhile=tuple(MeanwhileRecord(name, "loader.py", None, *each, "load", ratio) for name, *each, ratio in rows),
    )
    return meanwhile_text(of, place, lambda name: f"`{name}`")


def test_where_other_threads_stood_meanwhile_is_said():
    assert meanwhile(("loader", 20, 0.92), ("", 21, 0.05)) == (
        "meanwhile `loader` at loader.py:20 92 %, `a thread` at loader.py:21 5 %"
    )
    assert meanwhile() == ""


def test_the_card_of_a_line_that_devices_wait_for():
    of = waiting(
        620 * MS,
        waiting_classes={"input": 608 * MS, "dispatch": 12 * MS},
        basis="estimated",
        exposed_by=(ExposureRecord("train.py", None, 12, 465 * MS),),
        meanwhile=(MeanwhileRecord("loader", "loader.py", None, 20, "load", 0.92),),
    )
    around = record([of, line("train.py", 7, WHOLE - 620 * MS)], syncs=(SYNC,))
    card = hover_card(around.lines[0], around)
    first, waits, why, others = card.strip().split("\n\n")
    assert first == "**≈62.0 %** of the step: the device waits 310 ms for it, for input."
    assert waits == "device waits: input 98 %, launching 2 % · estimated from samples", "the first line says how long"
    assert why == (
        "75 % of it comes after the wait for a result at line 12. Without that wait a step takes 250 ms at best"
    )
    assert others == "meanwhile `loader` at loader.py:20 92 %"


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (
            waiting(620 * MS, waiting_classes={"unknown": 620 * MS}),
            "62.0 %** of the step: the device waits 310 ms for it.",
        ),
        (
            waiting(620 * MS, waiting_classes={"input": 300 * MS, "sync": 280 * MS, "dispatch": 40 * MS}),
            "62.0 %** of the step: the device waits 310 ms for it.",
        ),
        (
            waiting(400 * MS, 200 * MS, waiting_classes={"sync": 400 * MS}),
            "60.0 %** of the step: the device waits 200 ms for it, for reading results; its ops take 100 ms.",
        ),
    ],
)
def test_the_sentence_says_what_most_of_the_waiting_is_for(of, said):
    around = record([of, line("train.py", 7, WHOLE - of.wall_ps - of.waiting_ps)])
    assert hover_card(around.lines[0], around).startswith(f"**{said}\n")


def test_the_sentence_of_a_call_says_how_much_of_it_is_waiting():
    of = waiting(
        0, inclusive_wall_ps=100 * MS, waiting_inclusive_ps=300 * MS, inclusive_per_step_ps=200 * MS, inclusive_ps=100
    )
    card = hover_card(of, record([of, line("train.py", 7, 600 * MS)]))
    assert card == "**40.0 %** of the step is in what it calls: 200 ms, 150 ms of it waiting.\n"


def test_a_card_says_nothing_of_waiting_that_rounds_to_nothing():
    of = waiting(9 * MS, 300 * MS)
    assert "waits" not in hover_card(of, record([of, line("train.py", 7, 700 * MS)]))
    of = waiting(10 * MS, 300 * MS)
    assert "device waits 5.00 ms/step: input 100 %" in hover_card(of, record([of, line("train.py", 7, 700 * MS)]))


def test_the_names_of_threads_are_no_markdown():
    of = waiting(620 * MS, meanwhile=(MeanwhileRecord("a`[b](c)\n<i>", "l.py", None, 1, "f", 0.5),))
    shown = MarkdownIt().render(hover_card(of, record([of])))
    assert "<i>" not in shown and "<a" not in shown and "<code" not in shown
    assert "meanwhile a`[b](c)" in shown


def test_the_status_bar_names_what_devices_wait_for_most():
    of = waiting(620 * MS)
    made = record([of, line("train.py", 7, WHOLE - 620 * MS)], idle_classes={"input": 620 * MS})
    assert short(made) == "33.0 ms/step · 38 % busy · 62 % idle: input"
    assert "idle 310 ms (62.0 %: input 62.0 %)" in wall_clock(made)


def test_what_is_not_known_is_named_as_that_in_short_where_it_is_most():
    of = waiting(620 * MS)
    made = record([of, line("train.py", 7, WHOLE - 620 * MS)], idle_classes={"unknown": 500 * MS, "sync": 120 * MS})
    assert short(made).endswith(" · 50 % idle: not known")


def printed(of):
    console = Console(file=io.StringIO(), width=100, no_color=True)
    render_lines(of, console, base=Path("/w"))
    return console.file.getvalue()


def test_the_list_says_what_devices_waited_for_beside_phases():
    classes = {"input": 600 * MS, "dispatch": 20 * MS}
    of = [waiting(620 * MS, waiting_classes=classes), line("train.py", 7, 300 * MS, per_step_ps=150 * MS)]
    said = printed(record(of, idle_ps=80 * MS))
    assert "phases or waiting, %" in said
    waits, runs = (row for row in said.splitlines() if "train.py" in row)
    assert "waits: input 97 launching 3" in waits and "○○○○·" in waits
    assert "fwd 25 bwd 75" in runs and "▰▰▰▱▱" in runs
    split = " ".join(said.split())
    assert "2 lines hold 92.0 % of the step, 8.0 % is idle on no line." in split


def test_where_devices_waited_for_no_line_the_list_has_phases_alone():
    said = printed(record([line("train.py", 7, 300 * MS)]))
    assert "phases, %" in said and "waiting" not in said


def test_python_is_told_of_where_samples_were_taken_for_want_of_its_events():
    of = [waiting(620 * MS, basis="estimated")]
    plain = printed(record(of))
    assert "≈ is estimated" in plain and "Python" not in plain
    short = note("steps-short-for-samples", step_ps=2 * MS, apart_ps=2 * MS)
    said = " ".join(printed(record(of, findings=(short,))).split())
    assert (
        "Steps take 2.00 ms and samples are 2.00 ms apart: what the script does in Python may stand on the line" in said
    )
    assert "Python 3.12 and later tell of each line." in said

import io
from pathlib import Path

import attrs
import pytest
from rich.console import Console

from made.records import line, record, shared
from scopelight.analysis.records import WallRecord
from scopelight.findings import empty, warning
from scopelight.report.lines import render_lines

LONG = "/w/" + "very_long_folder/" * 12 + "train.py"


def printed(of, *, terminal=False, width=80, **options):
    console = Console(file=io.StringIO(), force_terminal=terminal, width=width, no_color=True)
    render_lines(of, console, base=Path("/w"), **options)
    return console.file.getvalue()


@pytest.mark.parametrize("terminal", [False, True])
def test_paths_are_whole_whatever_the_width(terminal):
    lines = [line("x/train.py", 57, 3 * 10**9, file="/w/x/train.py"), line(LONG, 12345, 10**9, file=LONG)]
    text = printed(record(lines), terminal=terminal, width=40)
    assert "x/train.py:57" in text
    assert f"{LONG.removeprefix('/w/')}:12345" in text


def test_plain_output_is_not_cut_and_has_no_escapes():
    text = printed(record([line("train.py", 57, 10**9)]), line_text=lambda *_: None)
    assert "\x1b" not in text
    assert "…" not in text
    assert "dot.1 (dot)" in text


def test_it_leads_with_the_step_time():
    text = printed(record([line("train.py", 57, 60 * 10**9)], idle_ps=6 * 10**9))
    first, split = text.splitlines()[:2]
    assert first.startswith("2 steps of 33.0 ms on average, median 33.0 ms, 32.0 ms to 34.0 ms, by repeating program")
    assert "device busy 30.0 ms" in split
    assert "idle 3.00 ms (9.1 %)" in split


def test_a_row_has_share_time_phases_and_source():
    lines = [line("train.py", 57, 4 * 10**9, file="/w/train.py", shared=True), line("b.py", 1, 10**9)]
    text = printed(record(lines), line_text=lambda path, number: f"source of {path} {number}")
    row = next(each for each in text.splitlines() if "train.py:57" in each)
    for part in ("▰▰▰▰▰", "≈80.0 %", "2.00 ms", "fwd 25 bwd 75", "loss", "source of /w/train.py 57"):
        assert part in row
    assert "≈ is estimated" in text
    other = next(each for each in text.splitlines() if "b.py:1" in each)
    assert "≈" not in other


def test_no_more_lines_than_asked_for_and_none_without_time():
    lines = [line("a.py", number, 10 - number) for number in range(1, 10)] + [line("a.py", 50, 0)]
    assert printed(record(lines), limit=3).count("a.py:") == 3
    assert "a.py:50" not in printed(record(lines))


def test_the_footer_accounts_for_the_whole_wall_clock():
    lines = [line("a.py", number, 10) for number in range(1, 5)]
    made = record(lines, idle_ps=40, unattributed_wall_ps=20)
    made = attrs.evolve(made, wall=WallRecord(100, 60, 0, 40, 0, ()), lines=shared(lines, 100))
    said = printed(made, limit=3)
    assert "3 lines hold 30.0 % of the step, 1 more 10.0 %, 20.0 % cannot be put on a line, 40.0 % is idle." in said


def test_op_time_beyond_the_wall_clock_stands_beside_it():
    lines = [line("a.py", 1, 100, wall_ps=50, op_time_per_step_ps=50, per_step_ps=25)]
    said = printed(record(lines))
    row = next(each for each in said.splitlines() if "a.py:1" in each)
    assert "100.0 %" in row
    assert ("25 ps" in row, "50 ps" in row) == (True, True)
    assert "Op time adds up the threads" in said
    assert "op time" not in printed(record([line("a.py", 1, 100)])).splitlines()[3]


def test_an_empty_record_says_why():
    text = printed(
        record(
            [],
            steps=(),
            steps_source=None,
            findings=(empty("programs-cut-off"), warning("recorded-note", text="cut off")),
        )
    )
    assert text.splitlines() == [
        "The file was cut off, and no compiled program is left of it.",
        "Copy the whole file again, or capture again.",
        "warning: cut off",
    ]


def test_control_characters_of_a_hostile_path_are_not_printed():
    text = printed(record([line("a\x1b[2Jb.py", 1, 10)]))
    assert "\x1b" not in text
    assert "b.py:1" in text

import attrs
import pytest

from made.records import line, record
from scopelight.analysis.records import StepRecord
from scopelight.findings import empty, warning
from scopelight.report.sentences import busy_ratio, headline, short, summary, wall_clock

LINES = [line("train.py", 57, 38, file="/w/train.py"), line("sub/decoder.py", 48, 62, file="/w/sub/decoder.py")]
HOT = record(LINES)
NO_STEPS = record(LINES, steps=(), steps_source=None, steps_name=None, findings=(warning("no-program-runs"),))
EMPTY = record([], steps=(), steps_source=None, findings=(empty("memory-alone-no-op-time"),))


def in_order(*rows):
    """The record with its lines so sorted that the given ones lead."""
    return attrs.evolve(HOT, lines=tuple(LINES[row] for row in rows))


def test_the_headline_is_the_step_time_or_why_there_is_none():
    assert headline(HOT) == "2 steps of 33.0 ms ± 500 µs, by repeating program (jit_step)"
    assert headline(attrs.evolve(HOT, steps=(StepRecord(0, 32_400_000_000),), steps_source="annotation")) == (
        "1 step of 32.4 ms, by annotation (jit_step)"
    )
    assert headline(NO_STEPS) == "No steps were found: no program run was recorded."
    assert headline(EMPTY).startswith("The profile holds what was in memory")


def test_the_wall_clock_says_whose_it_is():
    assert wall_clock(HOT) == (
        "Wall clock of a step, 33.0 ms on average: device busy 30.0 ms (90.9 %), waiting for the host 3.00 ms (9.09 %)"
    )
    assert wall_clock(NO_STEPS).startswith("Wall clock of the window, 33.0 ms")


def test_the_status_bar_has_time_and_busy_share():
    assert short(HOT) == "33.0 ms/step · 91 % busy"
    assert short(NO_STEPS) == "33.0 ms window · 91 % busy"
    nothing = attrs.evolve(HOT.step_time, mean_ps=0, busy_ps=0)
    assert busy_ratio(nothing) is None
    assert short(attrs.evolve(NO_STEPS, step_time=nothing, op_time_ps=0)) == "nothing ran"


@pytest.mark.parametrize("script", [None, "/w/train.py"])
def test_the_notification_names_the_hottest_line(script):
    assert summary(in_order(0, 1), "train.py", script=script) == "train.py: 2 steps of 33.0 ms. Line 57 takes 38 %."
    assert summary(in_order(1, 0), "train.py", script=script) == (
        "train.py: 2 steps of 33.0 ms. decoder.py:48 takes 62 %."
    )


def test_a_file_of_the_script_s_name_elsewhere_is_not_the_script():
    assert "train.py:57 takes" in summary(in_order(0, 1), "train.py", script="/other/train.py")


def test_the_notification_without_steps_or_lines():
    assert summary(NO_STEPS, "train.py") == "train.py: no steps found, 100 ps of op time. Line 57 takes 38 %."
    assert summary(EMPTY, "train.py").startswith("train.py: The profile holds what was in memory")


def test_names_of_the_profile_hold_no_control_characters():
    hostile = attrs.evolve(in_order(0), steps_name="jit\x1b[2J\nx", lines=(line("b\u202e\n.py", 1, 9),))
    for text in (headline(hostile), summary(hostile, "train.py")):
        assert text.isprintable()

import attrs

from made.records import line, record
from scopelight.analysis.records import StallRecord, StepTimeRecord, WallRecord
from scopelight.findings import empty, warning
from scopelight.report.sentences import busy_ratio, headline, short, wall_clock

LINES = [line("train.py", 57, 38, file="/w/train.py"), line("sub/decoder.py", 48, 62, file="/w/sub/decoder.py")]
HOT = record(LINES)
IDLE = record([line("train.py", 57, 60 * 10**9)], idle_ps=6 * 10**9)
NO_STEPS = record(LINES, steps=(), steps_source=None, steps_name=None, findings=(warning("no-program-runs"),))
EMPTY = record([], steps=(), steps_source=None, findings=(empty("memory-alone-no-op-time"),))


def test_the_headline_is_the_step_time_or_why_there_is_none():
    one = StepTimeRecord(1, *[32_400_000_000] * 4)
    assert headline(HOT) == (
        "2 steps of 33.0 ms on average, median 33.0 ms, 32.0 ms to 34.0 ms, by repeating program (jit_step)"
    )
    assert headline(attrs.evolve(HOT, step_time=one, steps_source="annotation")) == (
        "1 step of 32.4 ms, by annotation (jit_step)"
    )
    assert headline(NO_STEPS) == (
        "No steps were found: no program run was recorded. Times and shares are of the whole window."
    )
    assert headline(EMPTY).startswith("The profile holds what was in memory")


def test_the_wall_clock_says_whose_it_is():
    assert wall_clock(IDLE) == (
        "Wall clock of a step, 33.0 ms on average: device busy 30.0 ms (90.9 %), idle 3.00 ms (9.1 %)"
    )
    stalls = (StallRecord("copy", 8), StallRecord("host", 2))
    split = attrs.evolve(HOT, wall=WallRecord(100, 70, 10, 20, 5, stalls))
    assert wall_clock(split) == (
        "Wall clock of a step, 50 ps on average: device busy 35 ps (70.0 %), stalled on copies 4 ps (8.0 %),"
        " stalled on input from the host 1 ps (2.0 %), idle while compiling 2 ps (5.0 %), idle 8 ps (15.0 %)"
    )
    one = attrs.evolve(split, extent=attrs.evolve(split.extent, steps=1))
    assert wall_clock(one).startswith("Wall clock of the step, 100 ps: device busy 70 ps (70.0 %)")
    assert wall_clock(NO_STEPS).startswith("Wall clock of the whole window, 100 ps: ")
    assert wall_clock(EMPTY) is None


def test_the_status_bar_has_time_and_busy_share():
    assert short(IDLE) == "33.0 ms/step · 91 % busy"
    stalled = attrs.evolve(HOT, wall=WallRecord(100, 4, 96, 0, 0, (StallRecord("copy", 96),)))
    assert short(stalled) == "33.0 ms/step · 4 % busy · 96 % stalled"
    assert short(NO_STEPS) == "100 ps window · 100 % busy"
    assert busy_ratio(EMPTY) is None
    in_part = attrs.evolve(IDLE, findings=(warning("plane-read-in-part", lacks_threads=True, has_ops=True),))
    assert (short(in_part), wall_clock(in_part), busy_ratio(in_part)) == ("33.0 ms/step", None, None)
    without_names = attrs.evolve(IDLE, findings=(warning("plane-read-in-part", lost=3, has_ops=True),))
    assert wall_clock(without_names) is None
    # The host's threads are cut off, and the planes of devices whole.
    of_host = attrs.evolve(IDLE, findings=(warning("plane-read-in-part", lost=3, lacks_threads=True, has_ops=False),))
    assert (busy_ratio(of_host), wall_clock(of_host)) == (busy_ratio(IDLE), wall_clock(IDLE))
    assert short(EMPTY) == "nothing ran"
    # Steps of a runtime that records no ops have a time, and nothing is said of the device.
    assert short(attrs.evolve(HOT, wall=None)) == "33.0 ms/step"


def test_names_of_the_profile_hold_no_control_characters():
    hostile = attrs.evolve(HOT, steps_name="jit\x1b[2J\nx")
    assert headline(hostile).isprintable()


SILENT = record(
    [], steps_source="annotation", steps_name="train", findings=(empty("runtime-records-no-ops", runtime="XLA"),)
)


def test_steps_without_a_recorded_op_have_their_times_and_no_share_of_waiting():
    assert headline(SILENT).startswith(
        "2 steps of 33.0 ms on average, median 33.0 ms, 32.0 ms to 34.0 ms, by annotation"
    )
    assert wall_clock(SILENT) is None
    assert short(SILENT) == "33.0 ms/step"
    assert busy_ratio(SILENT) is None

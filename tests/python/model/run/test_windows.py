"""The windows of a job that one run holds: listed by what they hold, and opened one by one."""

import os

import attrs
import pytest

from made.xspace import Line, plane, write
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.information import CaptureProgress, CaptureWindow, RunInformation
from scopelight.model.run.listing import describe_run
from scopelight.model.run.log_directories import RunWindow
from scopelight.model.run.run_file import write_run_information

SESSIONS = ("plugins/profile/2026_01_01_05_15_33", "plugins/profile/2026_01_01_05_16_00")
FIRST = CaptureWindow(kind="steps", complete_steps=5, session=SESSIONS[0], started_ns=1_767_244_533 * 10**9)
SECOND = CaptureWindow(
    kind="steps", complete_steps=3, first_step=40, last_step=42, slow_steps=(41,), session=SESSIONS[1]
)


@pytest.fixture
def run(tmp_path):
    for number, session in enumerate(SESSIONS, 1):
        folder = tmp_path / session
        folder.mkdir(parents=True)
        write(folder / "one.xplane.pb", plane("/device:TPU:0", Line("XLA Ops", (("dot", 0, 100 * number),))))
    write_run_information(tmp_path, RunInformation(state="captured", windows=(FIRST, SECOND), window=SECOND))
    return tmp_path


def test_each_session_says_which_window_it_holds_the_newest_first(run):
    sessions = describe_run(run).sessions
    assert [each.path for each in sessions] == [str(run / session) for session in reversed(SESSIONS)]
    assert [each.window for each in sessions] == [
        RunWindow(number=2, kind="steps", steps=3, first_step=40, last_step=42, slow_steps=(41,)),
        RunWindow(number=1, kind="steps", steps=5, started="2026-01-01T05:15:33+00:00"),
    ]


def test_a_session_is_read_as_the_window_that_it_is(run):
    opened = [open_profile(run / path) for path in (*SESSIONS, f"{SESSIONS[0]}/one.xplane.pb", "")]
    assert [each.capture.window for each in opened] == [FIRST, SECOND, FIRST, SECOND]
    assert [int(each.executions.self_ps.sum()) for each in opened] == [100, 200, 100, 200]


@pytest.mark.parametrize(
    ("changes", "is_live"),
    [
        ({}, True),
        ({"has_ended": True}, False),
        ({"state": "running", "windows": ()}, False),
        # Older captures end with their window.
        ({"windows": ()}, False),
        ({"progress": CaptureProgress("capturing", pid=2**22 + 1)}, False),
    ],
)
def test_a_job_is_live_while_another_window_of_it_can_be_captured(run, changes, is_live):
    captured = RunInformation(
        state="captured", windows=(FIRST,), window=FIRST, progress=CaptureProgress("capturing", pid=os.getpid())
    )
    write_run_information(run, attrs.evolve(captured, **changes))
    assert describe_run(run).is_live is is_live

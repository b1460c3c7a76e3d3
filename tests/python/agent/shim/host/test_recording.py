"""A whole recording, on every Python that scripts run on: begun by a thread of the shim's, cut, ended and read."""

import json
import os
import subprocess
import sys
import threading
import traceback
from pathlib import Path

import numpy as np
import pytest

import made
from made.until import until
from scopelight.formats.host_recording.reader import read_recording
from scopelight.model.host.record import read_record
from scopelight.model.host.thread_ids import line_id_of
from scopelight_agent.shim.host.recording import Recording
from scopelight_agent.shim.host.sampler import ALONE_NS

PROJECT = Path(made.__file__).parents[3]
PYTHONS = [sys.executable, *(str(PROJECT / f".venv-host-{each}/bin/python") for each in ("3.10", "3.12", "3.13"))]
LONGEST_SECONDS = 60

SCRIPT = """\
import json, sys, threading, time
from shim.host.recording import Recording

told = []

def sleeps():
    told.append(time.time_ns())
    time.sleep(0.15)  # sleeps
    told.append(time.time_ns())

def pauses():
    for _ in range(2):
        time.sleep(0.1)  # pauses
        yield time.time_ns()

def work():
    sleeps()
    for end in pauses():  # asks
        told.append(end)

def in_a_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()

def begin():
    global recording
    recording = Recording()
    recording.begin(is_window=True)

def cut(name):
    recording.write(recording.cut(), sys.argv[1] + name)

own = sys.getswitchinterval()
in_a_thread(begin)
work()
in_a_thread(lambda: cut("first"))
work()
in_a_thread(lambda: (cut("second"), recording.end()))
print(json.dumps({"told": told, "main": threading.get_ident(), "threads": threading.active_count(),
                  "same": own == sys.getswitchinterval()}))
"""


@pytest.mark.parametrize("python", PYTHONS, ids=lambda each: Path(each).parts[-3])
def test_a_recording_says_where_the_script_stood_by_its_own_clock(python, tmp_path):
    if not Path(python).exists():
        pytest.skip(f"{python} is not there")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ran = subprocess.run(
        [python, str(script), f"{tmp_path}/"],
        env={**os.environ, "PYTHONPATH": str(PROJECT / "daemon/agent/scopelight_agent")},
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)
    assert (found["threads"], found["same"]) == (1, True)
    # A recording begins where the one before ended.
    files = [tmp_path / "second.host", tmp_path / "first.host"]
    zero_ns = found["told"][0] - 10**9
    record, _ = read_record(files, zero_ns)
    stands = record.stands_of(line_id_of(found["main"]))
    marked = enumerate(SCRIPT.splitlines(), 1)
    lines = {line.partition("# ")[2]: number for number, line in marked if "# " in line}
    for begin, end, once, twice in (found["told"][:4], found["told"][4:]):
        for middle, wanted in (
            ((begin + end) // 2, ["sleeps"]),
            (once - 50_000_000, ["pauses", "asks"]),
            (twice - 50_000_000, ["pauses", "asks"]),
        ):
            (row,) = stands.at(np.array([(middle - zero_ns) * 1000]))
            of_script = [each.line for each in stands.stacks[row] if each.path == str(script)]
            assert of_script[: len(wanted)] == [lines[each] for each in wanted]
    assert stands.is_exact == read_recording(files[0]).has_lines
    assert (str(script), "pauses") in record.generators


@pytest.fixture
def recording():
    made_here = Recording()
    yield made_here
    made_here.end()


def samplers():
    """Threads that sample: the script does not see them among its own."""
    assert all(each.name != "scopelight-samples" for each in threading.enumerate())
    stacks = (traceback.extract_stack(frame) for frame in sys._current_frames().values())
    return [stack for stack in stacks if any(each.filename.endswith("sampler.py") for each in stack)]


def test_beginning_twice_is_beginning_once(recording):
    recording.begin(is_window=False)
    recording.begin(is_window=True)
    until(lambda: len(samplers()) == 1)
    recording.begin(is_window=True)
    assert len(samplers()) == 1
    recording.end()
    recording.end()
    until(lambda: samplers() == [])


@pytest.mark.parametrize("is_whole", [False, True])
def test_where_the_whole_script_is_the_window_samples_are_as_frequent_from_the_first_trace_on(is_whole, monkeypatch):
    recording = Recording(is_whole=is_whole)
    # As where the interpreter does not tell of lines.
    monkeypatch.setattr(recording._monitor, "start", lambda: False)
    try:
        recording.begin(is_window=False)
        assert (recording._sampler._period_ns == ALONE_NS) == is_whole
        recording.cut()
        recording.begin(is_window=False)
        assert (recording._sampler._period_ns == ALONE_NS) == is_whole
    finally:
        recording.end()


def test_each_recording_has_the_clocks_at_both_of_its_ends(recording):
    recording.begin(is_window=False)
    first, second = recording.cut(), recording.cut()
    assert len(first.clocks) == len(second.clocks) == 2
    assert first.clocks[1] == second.clocks[0]


def test_what_is_never_begun_is_ended_and_forked_without_a_word(recording):
    recording.leave_the_child()
    recording.end()
    assert samplers() == []


def test_nothing_half_written_is_left_where_its_folder_is_gone(recording, tmp_path):
    recording.begin(is_window=False)
    recorded = recording.cut()
    with pytest.raises(OSError, match="gone"):
        recording.write(recorded, str(tmp_path / "gone" / "trace"))
    assert list(tmp_path.iterdir()) == []

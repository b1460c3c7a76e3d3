"""``scopelight capture --run``: what its exit code says of the window, and that an interrupt ends it in order."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from click.testing import CliRunner

from made.until import until
from scopelight.capture.failures import Exit
from scopelight.cli.main import main
from scopelight.model.run.names import CAPTURE_NOW_FILE

KILLED = {
    "code": "process-not-captured",
    "severity": "warning",
    "values": {"process": "host_1", "why": "it was killed"},
}


class Capturing:
    """A job that is being captured, by this process, and the window that it takes when it is asked."""

    def __init__(self, run):
        self.run = run
        self.windows = []
        self.findings = []
        self.take("host_0", "host_1")

    def take(self, *processes):
        session = self.run / "plugins" / "profile" / f"2026_{len(self.windows)}"
        session.mkdir(parents=True)
        for each in processes:
            (session / f"{each}.xplane.pb").write_bytes(b"")
        self.windows.append({"kind": "time", "session": str(session.relative_to(self.run))})
        said = {
            "format_version": 1,
            "state": "captured",
            "progress": {"stage": "captured", "pid": os.getpid()},
            "windows": self.windows,
            "window": self.windows[-1],
            "findings": self.findings,
        }
        (self.run / "run.json.partial").write_text(json.dumps(said))
        (self.run / "run.json.partial").replace(self.run / "run.json")

    def take_when_asked(self, *processes):
        def wait():
            until((self.run / CAPTURE_NOW_FILE).exists)
            self.take(*processes)

        thread = threading.Thread(target=wait)
        thread.start()
        return thread


@pytest.fixture
def capturing(tmp_path):
    return Capturing(tmp_path)


def ended_with(capturing, *processes, options=("--json",)):
    answering = capturing.take_when_asked(*processes)
    ended = CliRunner().invoke(main, ["capture", "--run", str(capturing.run), *options])
    answering.join()
    return ended


def test_a_window_that_lacks_a_process_is_captured_in_part(capturing):
    capturing.findings = [KILLED]
    assert ended_with(capturing, "host_0").exit_code == Exit.PARTIAL


def test_a_window_of_all_processes_is_whole_though_one_before_lacked_some(capturing):
    capturing.findings = [KILLED]
    assert ended_with(capturing, "host_0", "host_1").exit_code == 0


def test_an_interrupt_while_it_is_printed_ends_it_without_a_word(capturing, monkeypatch):
    def interrupted(_run):
        raise KeyboardInterrupt

    monkeypatch.setattr("scopelight.cli.capture.announce", interrupted)
    ended = ended_with(capturing, "host_0", "host_1", options=())
    assert (ended.exit_code, ended.output) == (130, "")


@pytest.mark.parametrize("interrupts", [1, 2])
def test_an_interrupt_while_it_waits_takes_the_wish_back(capturing, interrupts):
    command = [sys.executable, "-m", "scopelight.cli.main", "capture", "--run", str(capturing.run)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    until((capturing.run / CAPTURE_NOW_FILE).exists, seconds=60)
    for _ in range(interrupts):
        process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, "")
    assert not (capturing.run / CAPTURE_NOW_FILE).exists()

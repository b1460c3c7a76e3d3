import subprocess
import sys
import types

import pytest

from scopelight_agent.interface import windows


class FakeAgent:
    """Keeps what it is asked for."""

    def __init__(self):
        self.heard = []
        self.named_queues = []

    def open_window(self):
        self.heard.append("open")

    def close_window(self):
        self.heard.append("close")

    def epoch_began(self, number):
        self.heard.append(("epoch", number))


@pytest.fixture
def agent(monkeypatch):
    """The agent of this process, in place of one that traces."""
    from scopelight_agent.interface import marks, queues  # noqa: PLC0415

    agent = FakeAgent()
    for module in (windows, marks, queues):
        monkeypatch.setattr(module, "running_agent", lambda: agent)
    monkeypatch.setattr(windows, "_open", None)
    return agent


class Annotations:
    """The annotations of a stand-in for jax: what began and ended, in order."""

    def __init__(self):
        self.seen = []
        self.is_enabled = True


@pytest.fixture
def annotations(monkeypatch):
    told = Annotations()

    class TraceAnnotation:
        def __init__(self, name, **stats):
            self.name, self.stats = name, stats

        def __enter__(self):
            told.seen.append(("begin", self.name, self.stats))

        def __exit__(self, *reason):
            told.seen.append(("end", self.name, self.stats))

        @staticmethod
        def is_enabled():
            return told.is_enabled

    profiler = types.ModuleType("jax.profiler")
    profiler.TraceAnnotation = profiler.StepTraceAnnotation = TraceAnnotation
    monkeypatch.setitem(sys.modules, "jax.profiler", profiler)
    return told


@pytest.fixture
def run_python():
    """Run code in a Python of its own: what it printed; fails where it does."""

    def run(code, **environment):
        import os  # noqa: PLC0415

        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout

    return run

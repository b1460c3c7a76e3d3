import os
import socket
import subprocess
import sys

import pytest

from scopelight.capture.servers.local_process import eldest, how_it_ended, local_process, state_of
from scopelight.capture.servers.sockets import listening, other_end

WAITS = "import sys; print(flush=True); sys.stdin.read()"


@pytest.fixture
def started(tmp_path):
    processes = []

    def start(*arguments):
        processes.append(
            subprocess.Popen(
                [sys.executable, *arguments], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        )
        processes[-1].stdout.readline()
        return processes[-1]

    yield start
    for each in processes:
        each.kill()
        each.communicate()


@pytest.mark.parametrize(
    ("arguments", "script", "is_module", "rest"),
    [
        (["train.py", "--lr", "1"], "train.py", False, ("--lr", "1")),
        (["-u", "-W", "ignore", "train.py"], "train.py", False, ()),
        (["-m", "train", "x"], "train", True, ("x",)),
        (["-u", "-c", WAITS, "x"], "-c", False, (WAITS, "x")),
    ],
)
def test_what_a_process_runs(started, tmp_path, arguments, script, is_module, rest):
    (tmp_path / "train.py").write_text(WAITS)
    found = local_process(started(*arguments).pid)
    assert (found.script, found.is_module, found.arguments, found.cwd) == (script, is_module, rest, tmp_path)
    assert not found.has_jaxlib


def test_a_process_that_ended_is_told(started):
    process = started("-c", WAITS)
    assert state_of(process.pid) == "runs"
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert state_of(process.pid) == "ended"
    if sys.platform == "linux":
        assert how_it_ended(process.pid) == "SIGKILL"


def test_a_forked_worker_that_holds_the_socket_is_not_the_job():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.set_inheritable(True)
        worker = subprocess.Popen(
            [sys.executable, "-c", WAITS], close_fds=False, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        try:
            worker.stdout.readline()
            (found,) = listening(server.getsockname()[1])
            assert set(found.pids) == {os.getpid(), worker.pid}
            assert eldest(found.pids) == os.getpid()
        finally:
            worker.communicate()


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_whose_end_of_a_connection_it_is(host):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with (
        socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as server,
        socket.socket(family) as client,
    ):
        client.connect((host, server.getsockname()[1]))
        accepted, _ = server.accept()
        with accepted:
            found = other_end(client.getsockname()[:2], client.getpeername()[:2])
            assert found.pids == (os.getpid(),)


def test_elsewhere_the_same_is_told(monkeypatch):
    pytest.importorskip("psutil")
    monkeypatch.setattr(sys, "platform", "other")
    with socket.create_server(("127.0.0.1", 0)) as server:
        (found,) = listening(server.getsockname()[1])
        assert found.pids == (os.getpid(),)
        assert local_process(os.getpid()).pid == os.getpid()
        assert state_of(os.getpid()) == "runs"
        with socket.create_connection(server.getsockname()) as client:
            accepted, _ = server.accept()
            with accepted:
                assert other_end(client.getsockname(), client.getpeername()).pids == (os.getpid(),)

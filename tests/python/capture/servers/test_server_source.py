"""What comes of a capture, by what servers answer."""

import subprocess
import sys
from pathlib import Path

import pytest

from made.scripted_server import Profiler, ScriptedServer, jax_server, older_server, response
from made.xspace import Line, plane
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.servers.address import Address, parse_addresses
from scopelight.capture.servers.server_source import ServerSource
from scopelight.capture.servers.spec import ServerCaptureSpec

BUSY = (13, "Another profiling session active.")


def trace(began_ns=10**18, seconds=0.01):
    times = (("profile_start_time", began_ns), ("profile_stop_time", began_ns + round(seconds * 1e9)))
    events = Line("worker", (("work", 0, 1000),))
    return plane("/host:CPU", events) + plane("Task Environment", stats=times)


def capture(server, tmp_path, told=lambda _: None, **options):
    spec = ServerCaptureSpec(**{"seconds": 0.01, "attempts": 2, "out": tmp_path / "run", "cwd": tmp_path, **options})
    return ServerSource([server.address], told).capture(spec)


def codes(captured):
    return [each.code for each in captured.problems]


def files(captured):
    return [each.name for each in captured.run.path.glob("plugins/profile/*/*.xplane.pb")]


def in_turn(*answers):
    """Answers one after the other, the last for ever."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def test_what_a_server_sends_is_kept_as_it_came(tmp_path):
    asked = []
    sent = trace()

    def profile(request):
        asked.append(request)
        return response(sent)

    with ScriptedServer(jax_server(profile)) as server:
        captured = capture(server, tmp_path, host_level=1, python_level=1, device_level=3, dataset_ops=True)
    assert captured.exit_code is None
    (file,) = captured.run.path.glob("plugins/profile/*/*.xplane.pb")
    assert file.read_bytes() == sent
    (request,) = asked
    options = request.opts
    assert (options.host_tracer_level, options.python_tracer_level, options.device_tracer_level) == (1, 1, 3)
    assert options.include_dataset_ops and options.enable_hlo_proto and options.version == 1
    assert (options.duration_ms, request.emit_xspace, request.repository_root) == (10, True, "")
    server = captured.run.information.source.servers[0]
    assert (server.started_ns, server.stopped_ns) == (10**18, 10**18 + 10**7)


def test_a_server_without_snapshots_is_not_asked(tmp_path):
    profiler = older_server(lambda _: response(trace()))
    with ScriptedServer(profiler) as server:
        captured = capture(server, tmp_path)
    assert codes(captured) == ["server-too-old"]
    assert (captured.run, captured.exit_code) == (None, Exit.REFUSED)
    assert not profiler.asked
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_trusted_leaves_a_file_that_is_taken(tmp_path):
    roots = []

    def profile(request):
        folder = Path(request.repository_root, request.session_id)
        folder.mkdir(parents=True)
        roots.append(Path(request.repository_root))
        (folder / f"{request.host_name}.xplane.pb").write_bytes(trace())
        return response()

    with ScriptedServer(older_server(profile)) as server:
        captured = capture(server, tmp_path, trusts=True)
        assert files(captured) == [f"{server.address.name}.xplane.pb"]
    assert not roots[0].exists()


def test_a_file_that_is_not_here_is_told(tmp_path):
    with ScriptedServer(older_server(lambda _: response())) as server:
        captured = capture(server, tmp_path, trusts=True)
    assert codes(captured) == ["server-kept-file"]
    assert captured.problems[0].values["path"].endswith(".xplane.pb")


def test_a_busy_server_is_asked_again(tmp_path):
    heard = []
    with ScriptedServer(jax_server(in_turn(BUSY, response(trace())))) as server:
        captured = capture(server, tmp_path, heard.append)
    assert captured.exit_code is None
    (waited,) = [each for each in heard if each.stage == "waiting"]
    assert waited.busy and waited.pause_seconds > 0


@pytest.mark.parametrize(
    ("answer", "options", "code"),
    [
        (BUSY, {}, "server-busy"),
        ((8, "no room"), {}, "server-refused"),
        (b"\xff\xff\xff", {}, "server-refused"),
        (response(trace(), empty=True), {}, "server-idle"),
        (response(), {}, "server-idle"),
        (response(trace(seconds=0.001), empty=True), {}, "server-python-held"),
        (response(trace(), empty=True), {"host_level": 0}, "server-empty-without-host"),
        (None, {"margin_seconds": 0.2}, "server-held"),
    ],
)
def test_why_nothing_came(tmp_path, answer, options, code):
    with ScriptedServer(jax_server(lambda _: answer)) as server:
        captured = capture(server, tmp_path, attempts=1, **options)
    assert codes(captured) == [code]
    assert captured.exit_code == Exit.NOT_CAPTURED
    assert captured.run.information.state == "failed"
    assert captured.run.information.source.servers[0].problem == code
    assert not captured.run.probes.exists()


def test_another_server_of_grpc_is_told_apart(tmp_path):
    with ScriptedServer(Profiler({"Predict": lambda _: b""})) as server:
        assert codes(capture(server, tmp_path)) == ["server-without-profiler"]


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", ".hidden", "x" * 300])
def test_no_name_leaves_the_run(name):
    assert "/" not in Address(name, 1).name
    assert not Address(name, 1).name.startswith(".")
    assert len(Address(name, 1).name) < 250


@pytest.mark.parametrize(
    "text", ["", "host", "host:", ":9", "host:0", "host:65536", "host:x", "a b:1", "a:1,,b:2", "-x/:1"]
)
def test_what_is_no_address_is_said(text):
    with pytest.raises(CaptureFailure) as raised:
        parse_addresses(text)
    assert raised.value.exit_code == Exit.NO_ADDRESS


def test_addresses():
    assert parse_addresses("a:1, [::1]:2,a:1") == (Address("a", 1), Address("::1", 2))
    assert str(Address("::1", 2)) == "[::1]:2"


def test_the_command_says_why_a_server_is_not_asked(tmp_path):
    with ScriptedServer(older_server(lambda _: response(trace()))) as server:
        command = [sys.executable, "-m", "scopelight.cli.main", "capture", str(server.address)]
        finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert finished.returncode == Exit.REFUSED
    assert "older than 0.9" in finished.stderr
    assert "--trust-server" in finished.stderr


def test_what_came_before_a_capture_was_cancelled_is_kept(tmp_path):
    with (
        ScriptedServer(jax_server(lambda _: response(trace()))) as quick,
        ScriptedServer(jax_server(lambda _: None)) as endless,
    ):

        def hear(progress):
            if progress.address == quick.address and progress.stage == "captured":
                source.cancel()

        source = ServerSource([quick.address, endless.address], hear)
        captured = source.capture(ServerCaptureSpec(seconds=30, out=tmp_path / "run", cwd=tmp_path))
    assert captured.was_cancelled
    assert files(captured) == [f"{quick.address.name}.xplane.pb"]
    assert codes(captured) == ["server-cancelled"]
    assert captured.run.information.state == "captured"


def test_what_another_machine_sends_names_no_file_of_this_one(tmp_path, monkeypatch):
    secret = tmp_path / "secret.py"
    secret.write_text("password = 1\n")
    named = [str(secret)]
    monkeypatch.setattr("scopelight.capture.publishing.publish.named_files", lambda _: set(named))
    monkeypatch.setattr("scopelight.capture.servers.server_source.named_files", lambda _: set(named))
    with ScriptedServer(jax_server(lambda _: response(trace()))) as server:
        local = capture(server, tmp_path, out=tmp_path / "local")
        monkeypatch.setattr("scopelight.capture.servers.probe.other_end", lambda *_: None)
        remote = capture(server, tmp_path, out=tmp_path / "remote")
    # The server is of this very process.
    assert [each.name for each in local.run.sources.rglob("*.py")] == ["secret.py"]
    assert list(remote.run.sources.rglob("*.py")) == []

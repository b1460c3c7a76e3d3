import json
import signal
import subprocess
import sys
import threading

from made.scripted_server import ScriptedServer, jax_server, response
from made.xspace import Line, plane
from scopelight.capture.failures import Exit
from scopelight.capture.servers.job import LocalJob
from scopelight.cli.jobs.server_jobs import print_jobs

TRACE = plane("/host:CPU", Line("worker", (("work", 0, 1000),)))


def command(*arguments):
    return [sys.executable, "-m", "scopelight.cli.main", *map(str, arguments)]


def run(folder, *arguments):
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_what_was_captured_is_json_on_standard_output(tmp_path):
    with ScriptedServer(jax_server(lambda _: response(TRACE))) as server:
        finished = run(tmp_path, "capture", server.address, "--seconds", "0.01", "--json", "--out", "here")
    assert finished.returncode == 0
    described = json.loads(finished.stdout)
    assert described["state"] == "captured"
    assert described["source"]["servers"][0]["address"] == str(server.address)
    assert described["directory"] == str(tmp_path / "here")
    port = server.address.port
    # What it costs, and what a server's port is open to, are said once.
    assert finished.stderr.count("MB of memory") == 1
    assert finished.stderr.count(f"ssh -L {port}:localhost:{port} HOST") == 1


def test_an_interrupt_tells_the_server(tmp_path):
    asked = threading.Event()

    def profile(_):
        asked.set()

    profiler = jax_server(profile)
    with ScriptedServer(profiler) as server:
        process = subprocess.Popen(
            command("capture", server.address, "--seconds", "60"), cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        assert asked.wait(60)
        process.send_signal(signal.SIGINT)
        assert profiler.was_reset.wait(30)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "was cancelled" in said
    assert "Traceback" not in said


def test_a_folder_that_cannot_be_written_is_said_before_a_server_is_asked(tmp_path):
    (tmp_path / "file").write_text("")
    profiler = jax_server(lambda _: response(TRACE))
    with ScriptedServer(profiler) as server:
        finished = run(tmp_path, "capture", server.address, "--out", "file/run")
    assert finished.returncode == Exit.UNWRITABLE
    assert "--out" in finished.stderr
    assert not profiler.asked


def test_jobs_are_listed(capsys):
    job = LocalJob(12, "localhost:9999", "train.py", ("--lr", "1"), "/w", "0.8.1", "older", shares_port=True)
    print_jobs([job], as_json=False)
    (_, row) = capsys.readouterr().out.splitlines()
    assert row.split()[:5] == ["localhost:9999", "12", "train.py", "--lr", "1"]
    assert "older than jaxlib 0.9" in row
    assert "shares its port" in row
    print_jobs([job], as_json=True)
    assert json.loads(capsys.readouterr().out)[0]["pid"] == 12
    print_jobs([], as_json=False)
    assert "start_server" in capsys.readouterr().out


def test_a_job_is_watched_by_what_its_server_says(tmp_path):
    from scopelight.capture.servers.profiler_service_pb2 import MonitorResponse, MonitorResult  # noqa: PLC0415

    result = MonitorResult(response_type=2, matrix_unit_utilization_percent=40, device_idle_time_percent=25)
    answer = MonitorResponse(monitor_result=result).SerializeToString()
    profiler = jax_server(lambda _: response(TRACE), Monitor=lambda _: answer)
    with ScriptedServer(profiler) as server:
        arguments = (server.address, "--level", "2", "--count", "2", "--seconds", "0.5", "--json")
        finished = run(tmp_path, "monitor", *arguments)
    readings = [json.loads(line) for line in finished.stdout.splitlines()]
    assert [(each["utilisation_ratio"], each["idle_ratio"], each["step_avg_ps"]) for each in readings] == [
        (0.4, 0.25, None)
    ] * 2
    assert not profiler.asked["Profile"]

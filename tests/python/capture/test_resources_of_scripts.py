"""Resources while a script is captured: beside it, in nothing of it, and to its last moment."""

import json
import os
import shutil
import signal

from click.testing import CliRunner

from made.findings import codes
from scopelight.analysis.host.resources.measured import resources_record
from scopelight.cli.main import main
from scopelight.model.host.resource_lines import read_resources
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.names import HOST_SAMPLES_FILE

STEPS = """
    import os
    import subprocess
    import sys
    import time
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(weights):
        return jnp.tanh(weights @ weights)

    burn = "import sys, time\\nwhile time.process_time() < 0.3: sum(range(9999))\\nsys.stdin.read()"
    worker = subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE)
    weights = jnp.ones((256, 256))
    for _ in range(60):
        weights = step(weights)
        weights.block_until_ready()
        time.sleep(0.02)
    worker.communicate()
    """
COUNTS = """
    import os
    import sys
    import jax
    import jax.numpy as jnp

    jnp.ones((64, 64)).sum().block_until_ready()
    print(len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd")), len(sys.modules), file=sys.stderr)
    print([name for name in sys.modules if name.startswith(("scopelight", "psutil"))], file=sys.stderr)
    """
ENDLESS = """
    import time
    import jax
    import jax.numpy as jnp

    step = jax.jit(lambda x: jnp.tanh(x @ x))
    x = jnp.ones((64, 64))
    while True:
        x = step(x)
        x.block_until_ready()
        time.sleep(0.01)
    """


def test_steps_processes_and_threads_are_on_one_clock(bench):
    bench.write("script.py", STEPS)
    captured = bench.capture("script.py", whole=True, resources_seconds=0.05)
    assert captured.returncode == 0, captured.stderr
    record = resources_record(open_profile(captured.out))
    assert record.span == "steps"
    assert len(record.steps) > 10
    assert record.edges_ps[0] < record.steps[0].start_ps < record.steps[-1].end_ps < record.edges_ps[-1]
    script, worker = sorted(record.processes, key=lambda each: each.started_ps)
    assert (script.parent_pid, worker.parent_pid) == (None, script.pid)
    assert worker.run_cpu_ps > 0.2e12
    assert script.steps_cpu_ps <= script.window_cpu_ps <= script.run_cpu_ps
    # A step sleeps for most of its time.
    assert 0 < script.core_ratio < 1.5
    of_script = [each for each in record.threads if each.pid == script.pid]
    assert sum(each.run_cpu_ps for each in of_script) >= 0.98 * script.run_cpu_ps
    assert any(each.tid == script.pid for each in of_script)
    assert not codes(record, "empty", "warning")
    # The command prints the same, for people and for programs.
    said = CliRunner().invoke(main, ["show", "resources", str(captured.out), "--json"])
    assert said.exit_code == 0, said.output
    shown = json.loads(said.stdout)
    assert [each["pid"] for each in shown["processes"]] == [each.pid for each in record.processes]
    assert len(shown["series"]) == len(record.series)


def test_nothing_of_it_is_in_the_process_of_the_script(bench):
    bench.write("script.py", COUNTS)
    said = {}
    for period in (None, 0.05):
        captured = bench.capture("script.py", watches_memory=False, resources_seconds=period)
        lines = captured.stderr.splitlines()
        at = next(row for row, line in enumerate(lines) if line == "[]")
        said[period] = lines[at - 1].split()
        assert (captured.out / HOST_SAMPLES_FILE).exists() is (period is not None)
        assert captured.run["reads_resources"] is (period is not None)
        shutil.rmtree(captured.out)
    assert said[None] == said[0.05], "threads, descriptors and modules"


def test_a_script_that_is_killed_loses_no_reading(bench):
    bench.write("script.py", ENDLESS)
    process = bench.start("script.py", resources_seconds=0.05)
    file = bench.folder / "run" / HOST_SAMPLES_FILE

    def pids():
        return [each.pid for each in read_resources(file).processes] if file.exists() else []

    bench.wait(process, lambda: bench.information.get("state") == "captured" and pids())
    (pid,) = pids()
    before = file.read_bytes()
    os.kill(pid, signal.SIGKILL)
    process.communicate(timeout=240)
    data = file.read_bytes()
    assert data.startswith(before)
    assert data.endswith(b"\n")
    assert all(json.loads(line) for line in data.splitlines())
    assert not read_resources(file).findings

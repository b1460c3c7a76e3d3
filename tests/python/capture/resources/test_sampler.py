"""The sampler against what scripts count of themselves."""

import json
import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from made.findings import codes
from scopelight.capture.resources.sampler import Sampler
from scopelight.capture.resources.threads import MOST_SKIPPED
from scopelight.model.host.resource_lines import read_resources
from scopelight.model.run.names import HOST_SAMPLES_FILE

linux = pytest.mark.skipif(sys.platform != "linux", reason="what is read of /proc")
TOLERANCE_NS = 80_000_000
"""A period, and what an interpreter takes to print."""
PATIENCE_NS = 60_000_000_000


@pytest.fixture
def watched(tmp_path):
    """Runs a script under a sampler until it has printed its last line and all that it did is in the file, then ends
    it; what it printed, and what was read."""
    file = tmp_path / HOST_SAMPLES_FILE

    def watch(script, is_known=lambda _: True):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        sampler = Sampler(tmp_path, process.pid)
        sampler.start()
        sampler.look_closely(is_close=True)
        said = json.loads(process.stdout.readline())
        said_ns = time.time_ns()
        # It does nothing from here on. How soon what is new is looked for depends on what looking costs there.
        while not (is_all_told(read := read_resources(file), process.pid, said_ns) and is_known(read)):
            assert time.time_ns() < said_ns + PATIENCE_NS
            time.sleep(0.05)
        process.communicate("")
        assert sampler.stop() == ()
        return said, read_resources(file)

    return watch


def is_all_told(read, pid, since_ns):
    """Whether a process and all that come of it are known with all their threads, and were read since then."""
    tids = {thread.tid for thread in read.threads}
    of_pid = {each.pid: each for each in read.processes}
    for each in with_descendants(pid):
        known = of_pid.get(each)
        if known is None or not len(known.resident) or known.resident.time_ns[-1] < since_ns:
            return False
        if not tids >= {int(task.name) for task in Path(f"/proc/{each}/task").iterdir()}:
            return False
    # A thread that did nothing for a while is not read at every reading.
    return int((read.readings_ns > since_ns).sum()) > MOST_SKIPPED


def with_descendants(pid):
    """That process and all that come of it."""
    children = " ".join(task.read_text() for task in Path(f"/proc/{pid}/task").glob("*/children"))
    return [pid, *(each for child in children.split() for each in with_descendants(int(child)))]


def total(counter):
    return int(counter.value[-1]) if len(counter) else 0


@linux
def test_a_child_that_burns_half_a_second_is_seen_with_it(watched):
    said, read = watched(
        '''
        import json, subprocess, sys
        burn = """if True:
            import sys, time
            while time.process_time() < 0.5:
                sum(range(10_000))
            print(time.process_time_ns(), flush=True)
            sys.stdin.read()"""
        child = subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        print(json.dumps([child.pid, int(child.stdout.readline())]), flush=True)
        sys.stdin.read()
        '''
    )
    pid, own_ns = said
    script, child = read.processes
    assert (child.pid, child.parent, script.parent) == (pid, script.id, None)
    assert total(child.cpu) == pytest.approx(own_ns, abs=TOLERANCE_NS)
    # Of the two kinds the kernel counts hundredths of a second.
    assert total(child.user) + total(child.system) == pytest.approx(own_ns, abs=TOLERANCE_NS)
    assert total(child.user) > 0.3e9
    # In the last reading it may be gone.
    assert child.resident.value.max() > 1 << 20


@linux
def test_threads_have_their_names_their_time_and_what_they_waited_for_a_core(watched):
    # Two threads that compute without the interpreter's lock share one core: while one has it the other waits.
    said, read = watched(
        """
        import hashlib, json, os, sys, threading
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        done, ended = {}, threading.Event()
        def compute(name):
            task = f"/proc/self/task/{threading.get_native_id()}"
            open(f"{task}/comm", "w").write(name)
            hashlib.pbkdf2_hmac("sha256", b"a", b"b", 700_000)
            done[name] = [threading.get_native_id(), *map(int, open(f"{task}/schedstat").read().split())]
            ended.wait()
        threads = [threading.Thread(target=compute, args=(name,), daemon=True) for name in ("decode-1", "decode-2")]
        for each in threads:
            each.start()
        while len(done) < 2:
            ended.wait(0.05)
        print(json.dumps(done), flush=True)
        sys.stdin.read()
        """
    )
    by_tid = {each.tid: each for each in read.threads}
    for name, (tid, cpu_ns, waiting_ns, _) in said.items():
        thread = by_tid[tid]
        assert thread.name == name
        assert total(thread.cpu) == pytest.approx(cpu_ns, abs=TOLERANCE_NS)
        assert total(thread.waiting) == pytest.approx(waiting_ns, abs=TOLERANCE_NS)
    assert sum(total(each.waiting) for each in read.threads) > 0.2e9
    assert sum(total(each.cpu) for each in read.threads) == pytest.approx(
        total(read.processes[0].cpu), abs=2 * TOLERANCE_NS
    )


@linux
def test_a_worker_that_names_itself_late_has_that_name(watched):
    _, read = watched(
        """
        import subprocess, sys, time
        name = "import sys, time; time.sleep(0.4); open('/proc/self/comm', 'w').write('loader'); sys.stdin.read()"
        child = subprocess.Popen([sys.executable, "-c", name], stdin=subprocess.PIPE)
        time.sleep(1.2)
        print(1, flush=True)
        sys.stdin.read()
        """,
        is_known=lambda read: "loader" in [each.name for each in read.processes],
    )
    assert [each.name for each in read.processes[1:]] == ["loader"]


@linux
def test_the_machine_is_read_beside_them(watched):
    _, read = watched("import sys; print(1, flush=True); sys.stdin.read()")
    assert read.cores == os.cpu_count()
    assert {"user", "system", "idle", "switches"} <= read.counters.keys()
    assert {"running", "available_bytes"} <= read.levels.keys()
    assert 0 < read.levels["available_bytes"].value[-1] <= read.memory_bytes
    spent_ns = sum(int(read.counters[name].value[-1] - read.counters[name].value[0]) for name in ("user", "idle"))
    assert spent_ns > 0


def test_readings_that_cannot_be_kept_are_told(tmp_path):
    sampler = Sampler(tmp_path / "absent", os.getpid())
    sampler.start()
    sampler.look_closely(is_close=True)
    assert codes(sampler.stop()) == ["resources-not-kept"]


def test_a_process_that_is_not_there_is_no_end_of_the_others(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    sampler = Sampler(tmp_path, ended.pid)
    sampler.start()
    while (tmp_path / HOST_SAMPLES_FILE).read_bytes().count(b"\n") < 3:
        time.sleep(0.02)
    assert sampler.stop() == ()
    assert len(read_resources(tmp_path / HOST_SAMPLES_FILE)) >= 1


def test_the_end_is_read_however_long_the_next_reading_was_put_off(tmp_path):
    file = tmp_path / HOST_SAMPLES_FILE
    sampler = Sampler(tmp_path, os.getpid(), period_seconds=3600)
    sampler.start()
    while not (file.exists() and file.read_bytes().count(b"\n") >= 2):
        time.sleep(0.02)
    stopped_ns = time.time_ns()
    assert sampler.stop() == ()
    assert "resources" not in {thread.name for thread in threading.enumerate()}
    assert read_resources(file).readings_ns[-1] >= stopped_ns

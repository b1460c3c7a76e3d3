"""Parts of readings: files of the kernel, each as some machine has them, and what becomes of a part that fails."""

import os
import subprocess
import sys

import attrs
import pytest

from scopelight.capture.resources.control_group import ControlGroup
from scopelight.capture.resources.kept_file import KeptFile
from scopelight.capture.resources.machine import TICK_NS, Machine
from scopelight.capture.resources.part import Planned
from scopelight.capture.resources.processes import Processes, _children_of_all
from scopelight.capture.resources.reader import Reader
from scopelight.capture.resources.throughput import Disks, Networks

linux = pytest.mark.skipif(sys.platform != "linux", reason="files of Linux")


@attrs.define
class FakePart:
    says: dict
    fails_after: int = 1000
    closed: int = 0

    def read(self):
        self.fails_after -= 1
        if self.fails_after < 0:
            raise OSError(5, "Input/output error")
        return self.says

    def close(self):
        self.closed += 1


def test_a_part_that_fails_is_told_once_and_left_out():
    problems = []
    good, bad = FakePart({"machine": {"running": 1}}), FakePart({"machine": {"blocked": 2}}, fails_after=1)
    reader = Reader(
        {"good": Planned(lambda: good), "bad": Planned(lambda: bad)}, lambda *problem: problems.append(problem)
    )
    lines = [reader.read() for _ in range(3)]
    assert [line["machine"] for line in lines] == [{"running": 1, "blocked": 2}, {"running": 1}, {"running": 1}]
    assert [(name, str(error)) for name, error in problems] == [("bad", "[Errno 5] Input/output error")]
    assert bad.closed == 1
    reader.close()
    assert good.closed == 1


def test_what_a_system_need_not_tell_is_no_problem_but_a_fault_is():
    problems = []

    def absent():
        raise FileNotFoundError

    def faulty():
        raise ValueError("a fault")

    plans = {
        "pressure": Planned(absent, may_be_absent=True),
        "machine": Planned(absent),
        "disks": Planned(faulty, may_be_absent=True),
    }
    reader = Reader(plans, lambda name, _: problems.append(name))
    assert problems == ["machine", "disks"]
    assert set(reader.read()) == {"time_ns"}


def test_a_slow_part_is_read_seldom():
    slow = FakePart({"machine": {"available_bytes": 1}})
    reader = Reader({"slow": Planned(lambda: slow, every_seconds=60.0)}, lambda *_: None)
    assert ["machine" in reader.read() for _ in range(3)] == [True, False, False]


def test_a_file_that_grows_is_read_to_its_end(tmp_path):
    file = tmp_path / "stat"
    file.write_bytes(b"short")
    kept = KeptFile(str(file))
    assert kept.read() == b"short"
    file.write_bytes(b"long" * 5000)
    assert kept.read() == b"long" * 5000
    kept.close()
    kept.close()


@linux
def test_cores_are_read_behind_however_many_interrupts(tmp_path):
    interrupts = " ".join(["0"] * 9000)
    (tmp_path / "stat").write_text(
        f"cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr {interrupts}\nctxt 99\nbtime 1\nprocesses 7\n"
        "procs_running 3\nprocs_blocked 1\nsoftirq 1 2\n"
    )
    machine = Machine(str(tmp_path))
    assert machine.read() == {
        "machine": {
            "cpu_ns": [each * TICK_NS for each in range(1, 9)],
            "switches": 99,
            "running": 3,
            "blocked": 1,
        }
    }
    assert machine.forks == 7


@linux
def test_disks_are_counted_once(tmp_path):
    devices = tmp_path / "block"
    for name in ("nvme0n1", "loop0", "md0/slaves/nvme0n1", "cciss!c0d0"):
        (devices / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / "diskstats").write_text(
        "259 0 nvme0n1 10 0 100 0 10 0 200 0 0 0 0\n"
        "259 1 nvme0n1p1 10 0 100 0 10 0 200 0 0 0 0\n"
        "9 0 md0 10 0 100 0 10 0 200 0 0 0 0\n"
        "7 0 loop0 10 0 100 0 10 0 200 0 0 0 0\n"
        "104 0 cciss/c0d0 1 0 1 0 1 0 2 0 0 0 0\n"
    )
    assert Disks(str(tmp_path), devices).read()["machine"] == {
        "disk_read_bytes": 101 * 512,
        "disk_written_bytes": 202 * 512,
    }


@linux
@pytest.mark.parametrize(("has_card", "received"), [(True, 100), (False, 300)])
def test_networks_are_the_cards_where_there_are_any(tmp_path, has_card, received):
    devices = tmp_path / "class"
    (devices / "eth0" / "device" if has_card else devices / "eth0").mkdir(parents=True)
    (devices / "veth1").mkdir()
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "dev").write_text(
        "Inter-|   Receive\n face |bytes\n"
        "    lo: 7 0 0 0 0 0 0 0 7 0 0 0 0 0 0 0\n"
        "  eth0: 100 1 0 0 0 0 0 0 10 1 0 0 0 0 0 0\n"
        " veth1:200 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0\n"
    )
    assert Networks(str(tmp_path), devices).read()["machine"]["network_received_bytes"] == received


@linux
@pytest.mark.parametrize(
    ("membership", "folder", "files", "cores", "throttled_ns"),
    [
        ("0::/a\n", "a", {"cpu.stat": "usage_usec 1\nthrottled_usec 5\n", "cpu.max": "150000 100000\n"}, 1.5, 5000),
        ("0::/a\n", "a", {"cpu.stat": "throttled_usec 0\n", "cpu.max": "max 100000\n"}, None, 0),
        # In a container the group itself stands at the top.
        ("0::/../b\n", ".", {"cpu.stat": "throttled_usec 7\n", "cpu.max": "200000 100000\n"}, 2.0, 7000),
        (
            "4:memory:/m\n3:cpu,cpuacct:/c\n",
            "cpu,cpuacct/c",
            {"cpu.stat": "throttled_time 9\n", "cpu.cfs_quota_us": "50000\n", "cpu.cfs_period_us": "100000\n"},
            0.5,
            9,
        ),
    ],
)
def test_the_limit_of_a_control_group(tmp_path, membership, folder, files, cores, throttled_ns):
    groups = tmp_path / "groups"
    (groups / folder).mkdir(parents=True)
    for name, text in files.items():
        (groups / folder / name).write_text(text)
    (tmp_path / "41").mkdir()
    (tmp_path / "41" / "cgroup").write_text(membership)
    group = ControlGroup(41, tmp_path, groups)
    assert group.cores == cores
    assert group.read() == {"machine": {"throttled_ns": throttled_ns}}
    group.close()


@linux
def test_a_process_in_no_group_has_no_limit(tmp_path):
    (tmp_path / "41").mkdir()
    (tmp_path / "41" / "cgroup").write_text("0::/\n")
    with pytest.raises(OSError, match="no control group"):
        ControlGroup(41, tmp_path, tmp_path / "groups")


@linux
def test_children_are_found_where_the_kernel_lists_none(tmp_path):
    for pid, parent in ((41, 1), (42, 41), (43, 42), (44, 41)):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (a ) name) S {parent} 0 0")
    children = _children_of_all(str(tmp_path))
    assert (sorted(children(41)), children(42), children(43)) == ([42, 44], [43], ())


@linux
def test_a_process_that_is_new_has_its_memory_in_its_first_reading():
    # One that ends soon would otherwise have none: they are read every half second.
    processes = Processes(os.getpid(), lambda: -1)
    processes.read()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        while not (new := (said := processes.read()).get("new_processes")):
            pass
    finally:
        child.communicate(b"\n")
        processes.close()
    assert [each["pid"] for each in new] == [child.pid]
    assert new[0]["id"] in [row[0] for row in said["details"]]

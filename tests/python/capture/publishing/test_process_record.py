"""What the processes of a job tell of devices and of themselves becomes one account of the job."""

import attrs
import pytest

from scopelight.capture.publishing.process_record import ProcessRecord
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.model.run.information import RecordedDevice, RecordedHost, RunInformation
from scopelight.model.run.run_file import find_run_information


@pytest.fixture
def run(tmp_path):
    return RunDirectory.create(tmp_path / "run", tmp_path, "train", RunInformation())


def chip(number, process_index, **place):
    return {"platform": "tpu", "kind": "TPU v4", "id": str(number), "process_index": process_index, **place}


def backend(process_index, devices, **more):
    return {"event": "backend", "process_index": process_index, "pid": 100 + process_index, "devices": devices, **more}


def test_devices_that_all_processes_know_are_there_once_with_what_each_knows_of_its_own(run):
    record = ProcessRecord(run)
    for own in (1, 0):
        devices = [
            chip(each, each // 2, coords=[each, 0, 0], **({"local_hardware_id": each % 2} if each // 2 == own else {}))
            for each in range(4)
        ]
        record.hear(backend(own, devices), decides=own == 0)
    devices = find_run_information(run.path).devices
    assert [(each.id, each.process_index, each.coords, each.local_hardware_id) for each in devices] == [
        ("0", 0, (0, 0, 0), 0),
        ("1", 0, (1, 0, 0), 1),
        ("2", 1, (2, 0, 0), 0),
        ("3", 1, (3, 0, 0), 1),
    ]


def test_devices_of_processes_that_do_not_know_each_other_are_all_kept(run):
    record = ProcessRecord(run)
    for pid in (8, 9):
        record.hear(backend(0, [chip(0, 0, local_hardware_id=0)], pid=pid), decides=pid == 9)
    assert run.information.devices == (RecordedDevice("tpu", "TPU v4", "0", 0, local_hardware_id=0),) * 2


def test_each_file_is_of_the_process_that_made_it(run, tmp_path):
    record = ProcessRecord(run)
    record.hear(backend(1, []), decides=False)
    record.hear(backend(0, []), decides=True)
    names = {"a host_4": 101, "a host_5": 100, "a_host_5": 7}
    record.name_files(names, names)
    for each in names:
        (tmp_path / each).write_bytes(b"")
    session = run.add_profile({each: [tmp_path / each] for each in names})
    found = find_run_information(run.path)
    files = {each.name.removesuffix(".xplane.pb") for each in session.glob("*.xplane.pb")}
    assert {each.name for each in found.hosts} == files
    assert found.hosts == (
        RecordedHost("a_host_4", 1, 101),
        RecordedHost("a_host_5", 0, 100),
        RecordedHost("a_host_5_2", None, 7),
    )
    assert [found.process_index(each) for each in ("a_host_4", "a_host_5_2", "other")] == [1, None, None]


def test_the_only_process_is_the_one_that_decides_and_earlier_files_keep_theirs(run):
    record = ProcessRecord(run)
    record.hear(backend(3, []), decides=True)
    record.name_files(["host"], {})
    record.name_files(["host_3", "host_4"], {"host_3": 103, "host_4": 104})
    names = [attrs.astuple(each) for each in run.information.hosts]
    assert names == [("host", 3, 103), ("host_3", 3, 103), ("host_4", None, 104)]


def test_an_older_agent_does_not_say_which_process_it_is_in(run):
    record = ProcessRecord(run)
    record.hear({"event": "backend", "devices": [chip(0, 0), "none"]}, decides=True)
    record.name_files(["host"], {})
    assert run.information.devices == (RecordedDevice("tpu", "TPU v4", "0", 0),)
    assert run.information.hosts == (RecordedHost("host"),)

"""Summaries of all hosts: each from beside its file, else from the file, whoever reads it and whatever goes wrong."""

import contextlib
import json
import os
import shutil
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from analysis.hosts.pods import MS_PS, Pod
from made.findings import codes, said
from scopelight.analysis.hosts.comparison import compare
from scopelight.analysis.hosts.record import hosts_record
from scopelight.analysis.options import OptionError
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.model.opening import profile as opening
from scopelight.report.as_json import as_json
from scopelight.summaries import gathering
from scopelight.summaries.beside import SUMMARY_SUFFIX
from scopelight.summaries.encoding import FORMAT_VERSION
from scopelight.summaries.engines import FILES_FOR_PROCESSES, engine
from scopelight.summaries.gathering import by_host, gather

MANY = 64


@pytest.fixture
def pod(tmp_path):
    return Pod(hosts=4, devices=1, steps=4, slower_ps={2: 3 * MS_PS}).write(tmp_path)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return Pod(hosts=MANY, devices=1, steps=4, slower_ps={9: 3 * MS_PS}).write(tmp_path_factory.mktemp("many"))


def told(files, engine_name=None):
    """The record of hosts as JSON, made from the files with nothing beside them."""
    for each in files:
        beside(each).unlink(missing_ok=True)
    return text_of(gather(files, engine_name))


def text_of(gathered):
    record = hosts_record(compare(gathered.summary), UserFrames(LineOptions(), None), (), gathered.findings)
    return json.dumps(as_json(record, "terminal"))


def beside(file):
    return file.with_name(file.name + SUMMARY_SUFFIX)


def names(gathered):
    return [each.name for each in gathered.summary.hosts]


@pytest.fixture
def opened(monkeypatch):
    """The hosts whose files are read."""
    read = []

    def open_files(path, files):
        read.append(path.name.removesuffix(".xplane.pb"))
        return opening.open_files(path, files)

    monkeypatch.setattr(gathering, "open_files", open_files)
    return read


def test_what_is_beside_files_is_read_instead_of_them(pod, opened):
    first = text_of(gather(pod, "threads"))
    assert sorted(opened) == ["host0", "host1", "host2", "host3"]
    assert all(beside(each).is_file() for each in pod)
    opened.clear()
    assert text_of(gather(pod, "threads")) == first
    assert opened == []
    # No other file is left there.
    assert sorted(each.name for each in pod[0].parent.iterdir()) == sorted(
        name for each in pod for name in (each.name, beside(each).name)
    )


def test_a_file_that_has_changed_is_read_again(pod, opened, tmp_path):
    gather(pod)
    opened.clear()
    changed = Pod(hosts=4, devices=1, steps=4, slower_ps={2: 5 * MS_PS}).write(tmp_path / "other")[2]
    shutil.copyfile(changed, pod[2])
    summary = gather(pod).summary
    assert opened == ["host2"]
    assert max(summary.work.self_ps) > 3 * 13 * MS_PS
    opened.clear()
    gather(pod)
    assert opened == []


def test_a_file_that_was_only_touched_or_moved_is_not_read_again(pod, opened, tmp_path):
    gather(pod)
    opened.clear()
    for each in pod:
        os.utime(each, (1, 1))
    moved = Path(shutil.copytree(pod[0].parent, tmp_path / "moved"))
    gather(sorted(moved.glob("*.pb")))
    assert opened == []


def test_a_host_more_changes_which_process_a_file_is_of(pod, opened):
    gather(pod[:3])
    opened.clear()
    assert names(gather(pod)) == ["host0", "host1", "host2", "host3"]
    assert sorted(opened) == ["host0", "host1", "host2", "host3"]


@pytest.mark.parametrize("spoil", ["flipped", "cut off", "empty", "other version", "no summary", "a folder"])
def test_what_cannot_be_read_beside_a_file_is_made_again(pod, opened, spoil):
    expected = text_of(gather(pod))
    opened.clear()
    target = beside(pod[1])
    data = target.read_bytes()
    head, _, body = data.partition(b"\n")
    version = f'"format_version":{FORMAT_VERSION}'.encode()
    target.unlink()
    if spoil == "a folder":
        target.mkdir()
    else:
        flipped = bytearray(body)
        flipped[len(body) // 3] ^= 0xFF
        target.write_bytes(
            {
                "flipped": head + b"\n" + flipped,
                "cut off": data[: len(data) // 2],
                "empty": b"",
                "other version": data.replace(version, b'"format_version":99'),
                "no summary": b"\x00\xff" * 500,
            }[spoil]
        )
        if spoil == "other version":
            target.write_bytes(head + b"\n" + _of_other_version(body))
    assert text_of(gather(pod)) == expected
    assert opened == ["host1"]
    assert not [each for each in target.parent.iterdir() if each.name.endswith(".new")]
    if spoil != "a folder":
        assert target.read_bytes() == data


def _of_other_version(body):
    import io  # noqa: PLC0415
    import zipfile  # noqa: PLC0415

    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as archive, zipfile.ZipFile(file, "w") as new:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "nouns":
                content = json.dumps({**json.loads(content), "format_version": FORMAT_VERSION + 1}).encode()
            new.writestr(name, content)
    return file.getvalue()


def test_where_nothing_can_be_written_nothing_is_kept(pod, opened, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", refuse)
        first, again = text_of(gather(pod)), text_of(gather(pod))
    assert first == again
    assert len(opened) == 8
    assert sorted(pod[0].parent.iterdir()) == sorted(pod)


@pytest.mark.parametrize("content", [None, b"", b"HloModule x\n", bytes(range(7, 250)) * 40, b"half"])
def test_a_file_that_cannot_be_read_costs_its_host_alone_and_is_named(pod, content):
    if content is None:
        pod[1].unlink()
    elif content == b"half":
        pod[1].write_bytes(pod[1].read_bytes()[:300])
    else:
        pod[1].write_bytes(content)
    gathered = gather(pod)
    assert names(gathered) == ["host0", "host2", "host3"]
    assert codes(gathered) == ["host-unreadable"]
    assert "host1.xplane.pb" in said(gathered)
    record = hosts_record(compare(gathered.summary), UserFrames(LineOptions(), None), (), gathered.findings)
    assert record.hosts[0].host == "host2"
    assert record.hosts[0].is_named
    assert "host-unreadable" in codes(record)
    assert not beside(pod[1]).exists()


def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes_and_named(pod):
    pod[1].write_bytes(pod[1].read_bytes()[:-40])
    for _ in range(2):
        gathered = gather(pod)
        assert names(gathered) == ["host0", "host1", "host2", "host3"]
        record = hosts_record(compare(gathered.summary), UserFrames(LineOptions(), None), (), gathered.findings)
        assert "file-cut-off" in codes(record)
        assert "host1.xplane.pb is cut off" in said(record)


def test_nothing_is_written_beside_the_file_of_a_lone_host(pod):
    for _ in range(2):
        assert names(gather(pod[:1])) == ["host0"]
    assert sorted(pod[0].parent.iterdir()) == sorted(pod)


def test_where_no_file_can_be_read_there_is_no_summary(pod):
    for each in pod:
        each.write_bytes(b"")
    gathered = gather(pod)
    assert gathered.summary is None
    assert codes(gathered) == ["host-unreadable"] * 4
    assert gather([]).summary is None


def test_a_host_that_recorded_several_parts_is_one(pod):
    part = pod[0].with_name("host0.part2.xplane.pb")
    shutil.copyfile(pod[0], part)
    assert [*by_host([*pod, part])] == ["host0", "host1", "host2", "host3"]
    assert by_host([part, *pod])["host0"] == (part, pod[0])
    assert names(gather([*pod, part])) == ["host0", "host1", "host2", "host3"]


@pytest.mark.parametrize("name", ["ray", "dask", "", "dask://127.0.0.1:1", "dask://not a host"])
def test_an_engine_that_is_not_there_is_said(pod, name, monkeypatch):
    monkeypatch.setattr("scopelight.summaries.engines._SECONDS", 0.2)
    for _ in range(2):
        with pytest.raises(OptionError):
            gather(pod, name)
    gather(pod)
    # Also where there is nothing to do.
    with pytest.raises(OptionError):
        gather(pod, name)


def test_few_files_are_read_by_threads_and_many_by_processes(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    for files, name, kind in (
        (FILES_FOR_PROCESSES - 1, None, "ThreadPoolExecutor"),
        (FILES_FOR_PROCESSES, None, "ProcessPoolExecutor"),
        (FILES_FOR_PROCESSES, "threads", "ThreadPoolExecutor"),
        (1, "processes", "ProcessPoolExecutor"),
    ):
        with engine(name, files) as executor:
            assert type(executor).__name__ == kind


@pytest.mark.parametrize("dies", ["before all are handed over", "while they are read"])
def test_a_worker_that_is_gone_takes_nothing_with_it(pod, monkeypatch, dies):
    expected = told(pod, "threads")

    @contextlib.contextmanager
    def dying(_, files):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            future = pool.submit(os._exit, 1)
            if dies.startswith("before"):
                assert future.exception() is not None
            yield pool

    monkeypatch.setattr(gathering, "engine", dying)
    assert told(pod) == expected


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as found:
        yield found


def test_whoever_reads_the_files_the_record_is_the_same(many, cluster):
    by_threads = told(many, "threads")
    assert '"host": "host9", "devices": 1' in by_threads.replace('\\"', '"')
    assert told(many, "processes") == by_threads
    assert told(many, cluster.scheduler_address.replace("tcp", "dask")) == by_threads


def test_a_worker_of_a_cluster_that_is_killed_midway_loses_nothing(many, cluster):
    expected = told(many, "threads")
    for each in many:
        beside(each).unlink()
    address = cluster.scheduler_address.replace("tcp", "dask")
    worker = next(iter(cluster.workers.values())).process.process.pid
    found = []
    gathering_thread = threading.Thread(target=lambda: found.append(text_of(gather(many, address))))
    gathering_thread.start()
    time.sleep(0.4)
    os.kill(worker, signal.SIGKILL)
    gathering_thread.join(120)
    assert found == [expected]

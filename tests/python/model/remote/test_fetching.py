"""Log directories on real servers of this machine: what is downloaded, once, and what is said where that cannot be."""

import json
import os
import shutil
import sys
from pathlib import Path, PurePosixPath

import pytest

from made.findings import codes
from made.servers import BUCKET, http_server, s3_server
from made.xspace import Line, plane, write
from scopelight.formats.errors import FormatError
from scopelight.model.opening.profile import open_profile
from scopelight.model.remote.addresses import is_safe_name, shown
from scopelight.model.remote.fetching import fetch
from scopelight.model.remote.listed import list_directories


def session(root, name, **durations_ps):
    folder = root / "plugins" / "profile" / name
    folder.mkdir(parents=True, exist_ok=True)
    for host, duration_ps in durations_ps.items():
        ops = Line("XLA Ops", (("dot.0", 0, duration_ps),))
        write(folder / f"{host}.xplane.pb", plane("/device:TPU:0", ops))
    return folder


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("SCOPELIGHT_CACHE_BYTES", raising=False)
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def s3_of_all():
    with pytest.MonkeyPatch.context() as patch, s3_server(patch) as server:
        yield server


@pytest.fixture
def s3(s3_of_all):
    yield s3_of_all
    listed = s3_of_all.client.list_objects_v2(Bucket=BUCKET).get("Contents", ())
    for each in listed:
        s3_of_all.client.delete_object(Bucket=BUCKET, Key=each["Key"])


@pytest.fixture
def logs(tmp_path):
    root = tmp_path / "exp1"
    session(root, "2025_11_19_04_47_36", one=700)
    session(root, "2025_11_20_04_47_36", one=100)
    session(root, "2025_11_20_04_47_38", two=200)
    return root


def total_ps(path):
    return int(open_profile(path).executions.self_ps.sum())


def files_in(cache):
    return sorted(file.name for file in (cache / "scopelight" / "logs").glob("*/log/**/*") if file.is_file())


def test_the_newest_capture_is_downloaded_once_and_alone(s3, logs, cache):
    address = s3.put(logs, "sweep/exp1")
    told = []
    fetched = fetch(address, lambda done, total: told.append((done, total)))
    assert total_ps(fetched.path) == 300
    assert codes(fetched) == ["several-sessions"]
    assert files_in(cache) == ["one.xplane.pb", "two.xplane.pb"]
    assert told[0][0] == 0
    assert told[-1] == (fetched.downloaded_bytes,) * 2
    again = fetch(address)
    assert (again.path, again.downloaded_bytes) == (fetched.path, 0)
    assert fetch(f"s3://{BUCKET}").downloaded_bytes == 0


def test_a_session_or_a_file_is_opened_by_its_address(s3, logs):
    address = s3.put(logs, "exp1")
    assert total_ps(fetch(f"{address}/plugins/profile/2025_11_19_04_47_36").path) == 700
    assert total_ps(fetch(f"{address}/plugins/profile/2025_11_20_04_47_36").path) == 300
    assert total_ps(fetch(f"{address}/plugins/profile/2025_11_20_04_47_36/one.xplane.pb").path) == 100


def test_what_changed_on_the_server_is_downloaded_anew_and_what_went_is_gone(s3, logs, cache):
    address = s3.put(logs, "exp1")
    fetch(address)
    session(logs, "2025_11_20_04_47_38", two=5_000, three=1)
    s3.put(logs, "exp1")
    late = fetch(address)
    assert total_ps(late.path) == 5_101
    s3.client.delete_object(Bucket=BUCKET, Key="exp1/plugins/profile/2025_11_20_04_47_38/three.xplane.pb")
    gone = fetch(address)
    assert (total_ps(gone.path), gone.downloaded_bytes) == (5_100, 0)


@pytest.mark.parametrize("place", ["", "/plugins/profile/a", "/plugins/profile/a/one.xplane.pb"])
def test_a_run_comes_with_what_it_keeps(s3, tmp_path, place):
    run = tmp_path / "run"
    session(run, "a", one=100)
    (run / "sources").mkdir()
    (run / "run.json").write_text(json.dumps({"format_version": 1, "script": "train.py"}))
    (run / "sources" / "0.py").write_text("x = 1\n")
    (run / "checkpoints").mkdir()
    (run / "checkpoints" / "large").write_bytes(b"0" * 100)
    profile = open_profile(fetch(s3.put(run, "runs/a") + place).path)
    assert profile.capture.script == "train.py"
    assert sorted(each.name for each in profile.capture.path.iterdir()) == ["plugins", "run.json", "sources"]


def test_a_server_of_http_that_lists_its_folders(logs, cache):
    spaced = logs.with_name("exp 1")
    shutil.move(logs, spaced)
    with http_server(spaced.parent) as (address, asked):
        fetched = fetch(f"{address}/exp%201")
        assert total_ps(fetched.path) == 300
        assert fetched.path.parents[2].name == "exp 1"
        asked.clear()
        assert fetch(f"{address}/exp%201/").downloaded_bytes == 0
        assert not [each for each in asked if each[0] == "GET" and each[1].endswith(".pb")]
        one = f"{address}/exp%201/plugins/profile/2025_11_20_04_47_36/one.xplane.pb?signature=1"
        assert total_ps(fetch(one).path) == 100


def test_what_lies_on_a_server_is_listed_and_not_downloaded(s3, logs, cache):
    (directory,) = list_directories(s3.put(logs, "deep/exp1").removesuffix("/exp1"))
    assert directory.path == f"s3://{BUCKET}/deep/exp1"
    newest, oldest = directory.sessions
    assert [host.name for host in newest.hosts] == ["one", "two"]
    assert newest.folders == 2
    assert newest.size_bytes == sum(file.stat().st_size for file in logs.rglob("2025_11_20*/*.pb"))
    assert not cache.exists()
    assert total_ps(fetch(oldest.path).path) == 700
    assert total_ps(fetch(newest.hosts[1].path).path) == 200


def test_a_cache_that_is_full_forgets_what_was_used_longest_ago(s3, logs, cache, monkeypatch):
    size = (logs / "plugins/profile/2025_11_19_04_47_36/one.xplane.pb").stat().st_size
    monkeypatch.setenv("SCOPELIGHT_CACHE_BYTES", str(2 * size + size // 2))
    sessions = []
    for number in range(3):
        session(logs.with_name(f"log{number}"), "a", **{f"host{number}": 100})
        sessions.append(s3.put(logs.with_name(f"log{number}"), f"log{number}"))
    for age, each in ((100, sessions[0]), (50, sessions[1])):
        fetch(each)
        for stamp in cache.glob("scopelight/logs/*/stamps/*"):
            os.utime(stamp, (stamp.stat().st_mtime - age,) * 2)
    assert fetch(sessions[0]).downloaded_bytes == 0
    fetch(sessions[2])
    assert files_in(cache) == ["host0.xplane.pb", "host2.xplane.pb"]


def test_what_does_not_fit_the_cache_is_refused(s3, logs, cache, monkeypatch):
    monkeypatch.setenv("SCOPELIGHT_CACHE_BYTES", "10")
    with pytest.raises(FormatError, match=r"kept at most: set SCOPELIGHT_CACHE_BYTES to more bytes"):
        fetch(s3.put(logs, "exp1"))
    assert not cache.exists()
    monkeypatch.setenv("SCOPELIGHT_CACHE_BYTES", "10 GB")
    with pytest.raises(FormatError, match=r"SCOPELIGHT_CACHE_BYTES is '10 GB', and no number of bytes"):
        fetch(s3.put(logs, "exp1"))


def test_a_download_that_is_cancelled_leaves_nothing_half(s3, logs, cache):
    def cancel(done, _total):
        if done:
            raise KeyError("cancelled")

    with pytest.raises(FormatError):
        fetch(s3.put(logs, "exp1"), cancel)
    assert not list(cache.rglob("*.partial"))
    assert len(files_in(cache)) <= 1
    assert total_ps(fetch(f"s3://{BUCKET}/exp1").path) == 300


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("s3://absent/logs", "the server has no such bucket, folder or file"),
        (f"s3://{BUCKET}/absent", "the directory holds no profile|the server has no such bucket, folder or file"),
        (f"s3://{BUCKET}/absent/one.xplane.pb", "the server has no such bucket, folder or file"),
        ("http://127.0.0.1:9/logs", "the server cannot be reached"),
        ("http://127.0.0.1:9/one.xplane.pb", "the server cannot be reached"),
        ("ftp://host/logs", "log directories are read from gs://"),
        ("file:///etc/passwd", "log directories are read from gs://"),
        ("simplecache::s3://logs/a", "log directories are read from gs://"),
        ("s3://", "log directories are read from gs://"),
    ],
)
def test_what_cannot_be_had_is_one_sentence(s3, address, sentence):
    with pytest.raises(FormatError, match=sentence) as raised:
        fetch(address)
    assert str(raised.value).count("\n") == 0
    assert shown(address) in str(raised.value)


def test_no_credentials_are_one_sentence(s3, logs, tmp_path, monkeypatch):
    address = s3.put(logs, "exp1")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(FormatError, match="there are no valid credentials for it: sign in"):
        fetch(address)


@pytest.mark.parametrize(
    ("address", "module", "extra"), [("s3://logs/a", "s3fs", "s3"), ("gs://logs/a", "gcsfs", "gcs")]
)
def test_what_is_not_installed_is_named(monkeypatch, address, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, address.partition(":")[0], raising=False)
    with pytest.raises(FormatError, match=rf'pip install "scopelight\[{extra}\]", in the environment'):
        fetch(address)


def test_a_password_and_a_signature_are_not_shown():
    assert shown("https://me:secret@host/logs/a?X-Amz-Signature=1#x") == "https://host/logs/a"
    assert shown("s3://bucket/what?#") == "s3://bucket/what?#"


@pytest.mark.parametrize("name", ["..", ".", "a/../b", "/a", "a\0b", "a\\b", "a\nb", ""])
def test_no_name_leaves_the_cache(name):
    assert not is_safe_name(PurePosixPath(name))


def test_names_of_a_hostile_server_are_left_out(s3, logs, cache, tmp_path):
    address = s3.put(logs, "exp1")
    session(tmp_path / "bad", "a", one=1)
    bad = (tmp_path / "bad" / "plugins/profile/a/one.xplane.pb").read_bytes()
    folder = "exp1/plugins/profile/2025_11_20_04_47_38"
    for name in ("../../../../../../evil.xplane.pb", "..\\evil.xplane.pb"):
        s3.client.put_object(Bucket=BUCKET, Key=f"{folder}/{name}", Body=bad)
    before = {file for file in tmp_path.rglob("*") if cache not in file.parents}
    assert total_ps(fetch(address).path) == 300
    assert {file for file in tmp_path.rglob("*") if cache not in file.parents} - {cache} == before
    assert files_in(cache) == ["one.xplane.pb", "two.xplane.pb"]
    assert all(Path(file).resolve().is_relative_to(cache) for file in cache.rglob("*"))

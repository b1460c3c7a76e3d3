"""Which sessions of a log directory are one capture, and how deep one is looked for."""

import json
import os

import pytest

from made.findings import codes, said, values
from made.xspace import Line, plane, write
from scopelight.formats.errors import FormatError
from scopelight.model.opening.below import Looked, files_below
from scopelight.model.opening.paths import find_profile_files, find_xspaces
from scopelight.model.opening.profile import open_profile
from scopelight.model.opening.slices import open_slices


def session(root, name, *hosts, modified_seconds=None):
    folder = root / "plugins" / "profile" / name
    folder.mkdir(parents=True)
    for number, host in enumerate(hosts):
        ops = Line("XLA Ops", ((f"dot.{number}", 0, 100 * (number + 1)),))
        file = write(folder / f"{host}.xplane.pb", plane("/device:TPU:0", ops))
        if modified_seconds is not None:
            os.utime(file, (modified_seconds, modified_seconds))
    return folder


def hosts_of(path):
    return [file.name.removesuffix(".xplane.pb") for file in find_profile_files(path)]


def test_two_processes_that_stopped_two_seconds_apart_are_one_capture(tmp_path):
    first = session(tmp_path, "2025_11_20_04_47_36", "one")
    second = session(tmp_path, "2025_11_20_04_47_38", "two")
    profile = open_profile(tmp_path)
    assert sorted(device.host for device in profile.executions.devices) == [0, 1]
    assert profile.executions.self_ps.sum() == 200
    assert "several-sessions" not in codes(profile)
    assert values(profile, "sessions-joined") == {"folders": (first.name, second.name)}
    assert "they are shown as one" in said(profile)
    assert len(open_slices(tmp_path).sections) == 2


def test_each_session_of_a_capture_stands_for_all_of_it(tmp_path, monkeypatch):
    folders = [session(tmp_path, "2025_11_20_04_47_36", "one"), session(tmp_path, "2025_11_20_04_47_38", "two")]
    for folder in folders:
        assert hosts_of(folder) == ["one", "two"]
        monkeypatch.chdir(folder)
        assert hosts_of(type(folder)()) == ["one", "two"]
    assert hosts_of(folders[0] / "one.xplane.pb") == ["one"]


@pytest.mark.parametrize(
    ("sessions", "shown", "others"),
    [
        ({"04_47_36": ["one"], "04_47_38": ["one"]}, ["one"], 1),
        ({"04_47_36": ["one"], "04_48_37": ["two"]}, ["two"], 1),
        ({"04_47_36": ["one"], "04_48_36": ["two"]}, ["one", "two"], 0),
        ({"04_47_36": ["one"], "04_47_38": ["one.part2"]}, ["one.part2"], 1),
        ({"04_47_00": ["one"], "04_47_02": ["two"], "04_47_30": ["two"]}, ["two"], 1),
        ({"04_47_00": ["one"], "04_47_02": ["two"], "04_47_30": ["two"], "04_47_33": ["one"]}, ["one", "two"], 1),
        ({"04_47_00": ["a"], "04_47_25": ["b"], "04_47_50": ["c"], "04_48_15": ["d"]}, ["b", "c", "d"], 1),
        ({"04_47_00": ["a"], "04_47_01": ["b"], "04_47_02": ["c"]}, ["a", "b", "c"], 0),
    ],
    ids=["same host", "61 s", "60 s", "parts of a host", "third is later", "two of two", "no chain", "three"],
)
def test_what_belongs_together(tmp_path, sessions, shown, others):
    for name, hosts in sessions.items():
        session(tmp_path, f"2025_11_20_{name}", *hosts)
    assert hosts_of(tmp_path) == shown
    findings = find_xspaces(tmp_path)[1]
    several = [each.values["sessions"] for each in findings if each.code == "several-sessions"]
    assert several == ([others + 1] if others else [])


def test_a_session_whose_name_is_no_time_is_as_old_as_its_files(tmp_path):
    session(tmp_path, "b", "one", modified_seconds=1_000_000)
    session(tmp_path, "a", "two", modified_seconds=1_000_500)
    session(tmp_path, "9999_99_99_99_99_99", "three", modified_seconds=1_000_550)
    assert hosts_of(tmp_path) == ["three", "two"]


def test_folders_of_profiles_that_people_put_together_are_not_joined(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write(tmp_path / name / f"{name}.xplane.pb", plane("/device:TPU:0", Line("XLA Ops", (("dot.0", 0, 100),))))
        os.utime(tmp_path / name / f"{name}.xplane.pb", (1_000_000, 1_000_000))
    assert hosts_of(tmp_path) == ["two"]
    assert hosts_of(tmp_path / "one") == ["one"]


@pytest.mark.parametrize("place", ["", "plugins/profile/a", "plugins/profile/a/one.xplane.pb"])
def test_a_session_knows_its_run(tmp_path, place):
    session(tmp_path / "run", "a", "one")
    (tmp_path / "run" / "run.json").write_text(json.dumps({"format_version": 1, "script": "train.py"}))
    capture = open_profile(tmp_path / "run" / place).capture
    assert (capture.script, capture.path) == ("train.py", tmp_path / "run")


def test_the_newest_of_a_folder_of_runs_knows_its_run(tmp_path):
    for name, time in (("old", "2025_11_20_04_47_36"), ("new", "2025_11_21_04_47_36")):
        session(tmp_path / name, time, "one")
        (tmp_path / name / "run.json").write_text(json.dumps({"format_version": 1, "script": f"{name}.py"}))
    assert open_profile(tmp_path).capture.script == "new.py"


def test_deep_folders_open_and_links_may_lead_in_circles(tmp_path):
    session(tmp_path / "elsewhere" / "train", "2025_11_20_04_47_36", "one")
    deep = tmp_path / "logs" / "sweep" / "exp1"
    deep.mkdir(parents=True)
    (deep / "train").symlink_to(tmp_path / "elsewhere" / "train")
    (deep / "again").symlink_to(tmp_path / "logs")
    (deep / "itself").symlink_to(deep / "itself")
    assert hosts_of(tmp_path / "logs") == ["one"]
    assert "several-sessions" not in codes(open_profile(tmp_path / "logs"))


def test_of_very_many_folders_some_are_looked_into_and_that_is_said(tmp_path, monkeypatch):
    for number in range(30):
        (tmp_path / f"a{number}").mkdir()
    session(tmp_path / "a0", "2025_11_20_04_47_36", "one")
    (tmp_path / "a1" / "b" / "c" / "d" / "e").mkdir(parents=True)
    monkeypatch.setattr(files_below, "__kwdefaults__", {**files_below.__kwdefaults__, "folders": 37})
    assert values(open_profile(tmp_path), "folder-seen-in-part") == {"path": str(tmp_path)}
    monkeypatch.setattr(files_below, "__kwdefaults__", {**files_below.__kwdefaults__, "folders": 5})
    with pytest.raises(FormatError, match=r"more folders than are looked into: name one further down"):
        open_profile(tmp_path)


def test_what_lies_too_deep_is_said_to_be(tmp_path):
    session(tmp_path / "a" / "b", "2025_11_20_04_47_36", "one")
    looked = Looked()
    assert not list(files_below(tmp_path, ".xplane.pb", looked, depth=4))
    assert looked.is_partial
    assert len(list(files_below(tmp_path, ".xplane.pb", depth=5))) == 1

"""What a path stands for."""

import shutil

import pytest

from scopelight.formats.errors import FormatError
from scopelight.model.opening import find_xspaces, open_profile


def session(folder, name, *files):
    where = folder / "plugins" / "profile" / name
    where.mkdir(parents=True)
    for file in files:
        (where / file).write_bytes(b"")
    return where


def test_the_newest_of_several_sessions_is_opened_and_named(tmp_path):
    session(tmp_path, "2026_01_01_10_00_00", "a.xplane.pb")
    newest = session(tmp_path, "2026_01_02_10_00_00", "a.xplane.pb", "b.xplane.pb")
    files, warnings = find_xspaces(tmp_path)
    assert files == [newest / "a.xplane.pb", newest / "b.xplane.pb"]
    assert "2 profiles" in warnings[0] and str(newest) in warnings[0]


def test_a_single_session_needs_no_warning(tmp_path):
    only = session(tmp_path, "2026_01_01_10_00_00", "a.xplane.pb")
    assert find_xspaces(tmp_path) == ([only / "a.xplane.pb"], [])


def test_a_folder_without_profiles_is_refused(tmp_path):
    with pytest.raises(FormatError, match="holds no profile"):
        find_xspaces(tmp_path)


def test_parts_of_one_process_are_one_host(tmp_path, shared_profile):
    where = session(tmp_path, "2026_01_01_10_00_00")
    shutil.copyfile(shared_profile, where / "host.xplane.pb")
    shutil.copyfile(shared_profile, where / "host.part2.xplane.pb")
    alone = open_profile(shared_profile).executions
    parts = open_profile(tmp_path).executions
    assert len(parts) == 2 * len(alone)
    assert parts.devices == alone.devices
    assert len(parts.ops) == len(alone.ops)


def test_files_of_two_hosts_are_two_hosts(tmp_path, shared_profile):
    where = session(tmp_path, "2026_01_01_10_00_00")
    shutil.copyfile(shared_profile, where / "one.xplane.pb")
    shutil.copyfile(shared_profile, where / "two.xplane.pb")
    parts = open_profile(tmp_path).executions
    assert sorted({device.host for device in parts.devices}) == [0, 1]
    assert len(parts.devices) == 2 * len(open_profile(shared_profile).executions.devices)


def test_a_runs_description_stands_for_the_run(tmp_path, shared_profile):
    where = session(tmp_path, "2026_01_01_10_00_00")
    shutil.copyfile(shared_profile, where / "host.xplane.pb")
    (tmp_path / "run.json").write_text('{"format_version": 1, "script": "train.py"}')
    profile = open_profile(tmp_path / "run.json")
    assert profile.capture.script == "train.py"
    assert len(profile.executions)

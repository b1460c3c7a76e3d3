"""What a path stands for."""

import gzip
import json
import lzma
import os
import shutil
import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made.findings import codes, said, values
from scopelight.formats.errors import FormatError
from scopelight.formats.hlo import hlo_pb2
from scopelight.model.opening.paths import find_xspaces, is_program
from scopelight.model.opening.profile import open_profile


@pytest.fixture(scope="module")
def program():
    """A compiled program."""
    compiled = jax.jit(lambda x: jnp.tanh(x @ x).sum()).lower(jnp.ones((32, 32))).compile()
    (module,) = compiled.runtime_executable().hlo_modules()
    proto = hlo_pb2.HloProto()
    proto.hlo_module.ParseFromString(module.as_serialized_hlo_module_proto())
    return proto


def session(folder, name, *files):
    where = folder / "plugins" / "profile" / name
    where.mkdir(parents=True)
    for file in files:
        (where / file).write_bytes(b"")
    return where


def test_the_newest_of_several_sessions_is_opened_and_named(tmp_path):
    session(tmp_path, "2026_01_01_10_00_00", "a.xplane.pb")
    newest = session(tmp_path, "2026_01_02_10_00_00", "a.xplane.pb", "b.xplane.pb")
    files, findings = find_xspaces(tmp_path)
    assert files == [newest / "a.xplane.pb", newest / "b.xplane.pb"]
    assert values(findings, "several-sessions") == {"path": str(tmp_path), "sessions": 2, "newest": str(newest)}


def test_a_single_session_needs_no_warning(tmp_path):
    only = session(tmp_path, "2026_01_01_10_00_00", "a.xplane.pb")
    assert find_xspaces(tmp_path) == ([only / "a.xplane.pb"], [])


def test_a_folder_without_profiles_is_refused(tmp_path):
    with pytest.raises(FormatError, match="holds no profile"):
        find_xspaces(tmp_path)


def test_a_run_without_a_profile_says_why_its_capture_failed(tmp_path):
    run = {"format_version": 1, "state": "failed", "failure": "The script ended without importing jax."}
    (tmp_path / "run.json").write_text(json.dumps(run))
    with pytest.raises(FormatError, match=r"its capture failed: The script ended without importing jax\.$"):
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


@pytest.mark.parametrize("name", ["step.pb", "step", "module_0001.before_optimizations.bin", "a.xplane.pb"])
@pytest.mark.parametrize("is_bare", [False, True])
def test_a_program_is_told_by_its_content(tmp_path, program, name, is_bare):
    message = program.hlo_module if is_bare else program
    (tmp_path / name).write_bytes(message.SerializeToString())
    profile = open_profile(tmp_path / name)
    (module,) = profile.modules
    assert module.name == program.hlo_module.name
    assert not len(profile.executions)


@settings(max_examples=60, deadline=None)
@given(place=st.integers(0, 10**6), wrong=st.binary(max_size=40), kept_ratio=st.floats(0, 1))
def test_a_broken_program_is_refused_with_a_sentence(program, place, wrong, kept_ratio):
    data = program.SerializeToString()
    place %= len(data)
    broken = (data[:place] + wrong + data[place + len(wrong) :])[: int(len(data) * kept_ratio)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "step.pb"
        path.write_bytes(broken)
        try:
            open_profile(path)
        except FormatError as error:
            assert str(error).startswith(f"{path} is not a readable")
            assert str(error).count("\n") == 0


def test_a_runs_description_stands_for_the_run(tmp_path, shared_profile):
    where = session(tmp_path, "2026_01_01_10_00_00")
    shutil.copyfile(shared_profile, where / "host.xplane.pb")
    (tmp_path / "run.json").write_text('{"format_version": 1, "script": "train.py"}')
    profile = open_profile(tmp_path / "run.json")
    assert profile.capture.script == "train.py"
    assert len(profile.executions)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_compressed_program_is_decompressed(tmp_path, program, compress):
    path = tmp_path / f"step.hlo.pb.{'gz' if compress is gzip.compress else 'xz'}"
    path.write_bytes(compress(program.SerializeToString()))
    (module,) = open_profile(path).modules
    assert module.name == program.hlo_module.name
    path.write_bytes(compress(program.SerializeToString())[:-30])
    with pytest.raises(FormatError, match="cannot be decompressed"):
        open_profile(path)


def test_a_directory_of_programs_holds_them_all(tmp_path, program):
    data = program.SerializeToString()
    (tmp_path / "a.hlo.pb").write_bytes(data)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "b.hlo_proto.pb").write_bytes(data)
    (tmp_path / "broken.hlo.pb").write_bytes(b"\xff" * 40)
    (tmp_path / "notes.txt").write_text("not a program")
    profile = open_profile(tmp_path)
    assert [each.name for each in profile.modules] == [program.hlo_module.name] * 2
    assert [Path(each.where).name for each in profile.programs] == ["a.hlo.pb", "b.hlo_proto.pb"]
    assert codes(profile) == ["program-unreadable"]
    assert "broken.hlo.pb is not a readable HLO module" in said(profile)
    assert is_program(tmp_path)


def test_of_a_dump_the_programs_that_run_are_opened(tmp_path, program):
    for stage in ("before", "after"):
        (tmp_path / f"module_0001.jit_f.{stage}_optimizations.hlo.pb").write_bytes(program.SerializeToString())
    (stored,) = open_profile(tmp_path).programs
    assert "after_optimizations" in stored.where


def test_programs_beside_a_profile_are_not_opened_for_it(tmp_path, program, shared_profile):
    where = session(tmp_path, "2026_01_01_10_00_00")
    shutil.copyfile(shared_profile, where / "host.xplane.pb")
    (where / "jit_f(1).hlo_proto.pb").write_bytes(program.SerializeToString())
    profile = open_profile(tmp_path)
    assert len(profile.executions)
    assert {each.program_id for each in profile.programs} == {str(each) for each in range(1, 17, 2)}


def test_a_directory_without_a_readable_program_is_refused(tmp_path):
    (tmp_path / "one.hlo.pb").write_bytes(b"\xff" * 40)
    (tmp_path / "two.hlo.pb").write_bytes(b"\xff" * 40)
    with pytest.raises(FormatError, match="none of the compiled programs in it can be read"):
        open_profile(tmp_path)


def test_a_folder_that_goes_away_meanwhile_is_left_out(tmp_path, monkeypatch):
    session(tmp_path, "2026_01_01", "host.xplane.pb")
    gone = tmp_path / "checkpoint"
    gone.mkdir()
    scandir = os.scandir

    def without(path):
        if Path(path) == gone:
            raise FileNotFoundError(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", without)

    files, findings = find_xspaces(tmp_path)
    assert [each.name for each in files] == ["host.xplane.pb"]
    assert not findings


def test_what_is_no_regular_file_is_not_called_a_directory(tmp_path):
    os.mkfifo(tmp_path / "pipe.xplane.pb")

    with pytest.raises(FormatError, match="it is a named pipe"):
        find_xspaces(tmp_path / "pipe.xplane.pb")
